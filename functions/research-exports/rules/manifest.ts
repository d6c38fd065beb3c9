import { issuerOf } from '../../receipts/rules.ts';
import { keptDays, type ResearchExport } from './export.ts';
import { shownCells } from './shown.ts';

/** Describes an export for the recipients of its files: `manifest.json`, and `manifest.jws`, the same content signed as a JWS. Pure. */

export const manifestType = 'research-export+jwt';

export const manifestNames = ['manifest.json', 'manifest.jws'] as const;

export function manifestOf(row: ResearchExport, { environment, now }: { environment: string; now: Date }) {
  const { studyId, exportId, design, requestedAt, enrolledUntil, participants, smallCells, files } = row;
  const { title, agreementId, dataClasses, period, quasiIdentifiers, shiftDates } = design;
  return {
    iss: issuerOf(environment),
    sub: studyId,
    jti: exportId,
    /** Seconds since 1970, real time. */
    iat: Math.floor(now.getTime() / 1000),
    study: { studyId, title, agreementId, dataClasses, period, quasiIdentifiers },
    // Exact, as the file of participants is beside it.
    export: { exportId, requestedAt, enrolledUntil, participants, keptDays },
    dates: shiftDates
      ? 'moved back by 1 to 52 whole weeks, a constant for each participant'
      : 'as they are, by the clock where the participant was',
    freeText: 'none',
    smallCells: shownCells(smallCells),
    files,
  };
}
