import { differingPaths, issuerOf } from '../../receipts/rules.ts';
import { designOf, keptDays, type ResearchExport } from './export.ts';
import { shownCells } from './shown.ts';

/** Describes an export for the recipients of its files: `manifest.json`, and `manifest.jws`, the same content signed as a JWS. Pure. */

export const manifestNames = ['manifest.json', 'manifest.jws'] as const;

export function manifestOf(row: ResearchExport, { environment, now }: { environment: string; now: Date }) {
  const { studyId, exportId, requestedAt, enrolledUntil, participants, smallCells, files } = row;
  const { title, agreementId, dataClasses, period, quasiIdentifiers, shiftDates } = designOf(row);
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

type Claims = Readonly<Record<string, unknown>>;

/** The export that a manifest is about, as it says itself; null if it names none. */
export function namedBy({ sub, jti }: Claims): Pick<ResearchExport, 'studyId' | 'exportId'> | null {
  const isName = (name: unknown): name is string => typeof name === 'string' && name !== '';
  return isName(sub) && isName(jti) ? { studyId: sub, exportId: jti } : null;
}

/** From the signature to the end of the export. */
const sealingSeconds = 300;

/**
 * Which claims of a manifest are not those of the export. It is the last thing that is made, so it is dated shortly before the end of
 * the export. Whoever changes a text or `keptDays` above keeps the old one for older manifests (test/research-exports/manifest.test.ts).
 */
export function differingFromExport(said: Claims, row: ResearchExport, environment: string): string[] {
  const expected = manifestOf(row, { environment, now: new Date(row.finishedAt ?? 0) });
  const { iat } = said;
  const isDated = Number.isSafeInteger(iat) && Math.abs(Number(iat) - expected.iat) <= sealingSeconds;
  return differingPaths(said, { ...expected, iat: isDated ? iat : 'when the export was sealed' });
}
