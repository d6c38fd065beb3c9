import { type DomainEvent, type RowChange, textIn } from './image.ts';

/**
 * The event of a change of consent, made of the ledger's stream. Pure. It names the record and says what another service
 * needs to stop or to begin; the rest it reads by `GET /users/{userId}/agreements/{agreementId}/state`.
 */

export type ConsentEvent = {
  /** The same if an event is sent again, so that subscribers recognise repeated events. */
  recordId: string;
  userId: string;
  agreementId: string;
  versionId: string;
  action: 'agreed' | 'revoked';
  recordedAt: string;
  /** Counts the records of this user and agreement: an event may come late, and a greater one holds. */
  sequence: number;
  source: 'user' | 'imported';
};

/**
 * @returns null for what is no new record: its expiry was set, or it expired
 * @throws an Error where a record is not of its form
 */
export function consentEventOf({ OldImage, NewImage }: RowChange): ConsentEvent | null {
  if (!NewImage || OldImage) return null;
  const text = (name: string) => textIn(NewImage, name);
  const [action, source, sequence] = [text('action'), text('source'), Number(NewImage.sequence?.N)];
  if (action !== 'agreed' && action !== 'revoked') throw new Error('a consent record is neither agreed nor revoked');
  if (source !== 'user' && source !== 'imported') throw new Error('a consent record is of no known source');
  if (!Number.isSafeInteger(sequence)) throw new Error('a consent record has no sequence');
  if (Number.isNaN(Date.parse(text('recordedAt')))) throw new Error('a consent record is of no time');
  return {
    recordId: text('recordId'),
    userId: text('userId'),
    agreementId: text('agreementId'),
    versionId: text('versionId'),
    action,
    recordedAt: text('recordedAt'),
    sequence,
    source,
  };
}

export type Revocation = Pick<ConsentEvent, 'userId' | 'agreementId' | 'sequence' | 'recordedAt'>;

/** @returns null for everything else, also for a record that is not understood: the publishing sets that aside */
export function revocationIn(change: RowChange): Revocation | null {
  try {
    const event = consentEventOf(change);
    if (event?.action !== 'revoked') return null;
    const { userId, agreementId, sequence, recordedAt } = event;
    return { userId, agreementId, sequence, recordedAt };
  } catch {
    return null;
  }
}

/** @throws an Error as `consentEventOf` does */
export function consentChangedEventOf(change: RowChange): DomainEvent | null {
  const detail = consentEventOf(change);
  return detail && { detailType: 'ConsentChanged', time: detail.recordedAt, detail };
}
