import { createHmac } from 'node:crypto';

/** A notice says what the recipients of an export have to do with the rows of one participant (GDPR Art. 19). Pure. */

export type Reason = 'left' | 'erased' | 'amended';

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
export type Content = {
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
  readonly readAt: string;
};

export type Occasion =
  | { readonly reason: 'left'; readonly keepExported: boolean; readonly at: string }
  | { readonly reason: 'erased' | 'amended'; readonly at: string };

export function noticeOf(
  { studyId, exportId, pseudonym }: Pick<Content, 'studyId' | 'exportId' | 'pseudonym'>,
  occasion: Occasion,
): Notice {
  const { reason, at } = occasion;
  const leaving = reason === 'left' && occasion.keepExported ? 'keep' : 'delete';
  const action = reason === 'amended' ? 'update' : leaving;
  return { studyId, noticeKey: `${exportId}#${action}#${pseudonym}`, exportId, pseudonym, reason, action, at };
}

/** Whether an export can have the response that was corrected: it has answers, and was made before the correction. */
export function isConcernedBy(
  { hasAnswers, readAt }: Pick<Content, 'hasAnswers' | 'readAt'>,
  amendedAt: string,
): boolean {
  return hasAnswers && readAt <= amendedAt;
}

/** Whether the consent record of the content is earlier than the record with this number. */
export function isBefore({ consentSequence }: Pick<Content, 'consentSequence'>, sequence: number | null): boolean {
  return sequence === null || consentSequence < sequence;
}

export function participantKeyOf({ studyId, pseudonym }: Pick<Content, 'studyId' | 'pseudonym'>): string {
  return `${studyId}#${pseudonym}`;
}

/** @param key the key of the study */
export function consentHash(key: Uint8Array, recordId: string): string {
  return createHmac('sha256', key).update(`consent#${recordId}`).digest('hex');
}
