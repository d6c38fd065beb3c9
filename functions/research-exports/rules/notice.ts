import { createHmac } from 'node:crypto';
import type { ConcernOccasion } from '../../research/rules.ts';

/** A notice says what the recipients of an export have to do with the rows of one participant (GDPR Art. 19). Pure. */

type Reason = 'left' | 'erased' | 'amended';

export type Notice = {
  readonly studyId: string;
  /** `<exportId>#<action>#<pseudonym>`, so a later notice of the same kind replaces the first one. */
  readonly noticeKey: string;
  readonly exportId: string;
  readonly pseudonym: string;
  readonly reason: Reason;
  /** `delete` the participant's rows; `keep` them because the participant allowed it; `update` them from a new export. */
  readonly action: 'delete' | 'keep' | 'update';
  readonly at: string;
};

/** A participant in an export. */
export type ExportedParticipant = {
  /** `<studyId>#<pseudonym>` */
  readonly participantKey: string;
  readonly studyId: string;
  readonly exportId: string;
  readonly pseudonym: string;
  /** A keyed hash of the consent record's id: the id itself would lead to the user. */
  readonly consent: string;
  readonly consentVersionId: string;
  /** The number of the consent record in its chain. */
  readonly consentSequence: number;
  readonly hasAnswers: boolean;
  readonly hasDiary: boolean;
  /** When the reading of their page began: what changed since then may be in it as it was. */
  readonly readAt: string;
};

export function noticeOf(
  { studyId, exportId, pseudonym }: Pick<ExportedParticipant, 'studyId' | 'exportId' | 'pseudonym'>,
  occasion: ConcernOccasion,
): Notice {
  const { reason, at } = occasion;
  const leaving = reason === 'left' && occasion.keepExported ? 'keep' : 'delete';
  const action = reason === 'amended' ? 'update' : leaving;
  return { studyId, noticeKey: `${exportId}#${action}#${pseudonym}`, exportId, pseudonym, reason, action, at };
}

/** Longer than a page takes from its first read to its step: longer than the time limit of the function. */
export const pageSeconds = 90;

/** Whether an export can have what was corrected: it has such data, and was made after the data arrived and before the correction. */
export function isConcernedBy(
  { hasAnswers, hasDiary, readAt }: Pick<ExportedParticipant, 'hasAnswers' | 'hasDiary' | 'readAt'>,
  { at, entryArrivedAt }: Extract<ConcernOccasion, { readonly reason: 'amended' }>,
): boolean {
  if (readAt > at) return false;
  if (entryArrivedAt === undefined) return hasAnswers;
  return hasDiary && Date.parse(entryArrivedAt) <= Date.parse(readAt) + pageSeconds * 1000;
}

/** Whether the consent record of the content is earlier than the record with this number. */
export function isBefore(
  { consentSequence }: Pick<ExportedParticipant, 'consentSequence'>,
  sequence: number | null,
): boolean {
  return sequence === null || consentSequence < sequence;
}

export function participantKeyOf({ studyId, pseudonym }: Pick<ExportedParticipant, 'studyId' | 'pseudonym'>): string {
  return `${studyId}#${pseudonym}`;
}

/** @param key the key of the study */
export function consentHash(key: Uint8Array, recordId: string): string {
  return createHmac('sha256', key).update(`consent#${recordId}`).digest('hex');
}
