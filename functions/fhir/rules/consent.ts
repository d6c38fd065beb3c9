import { endAfter } from '../../../lib/contract/accounts.ts';
import type { ConsentRecord } from '../../access/consent-states.ts';
import type { LocalisedContent } from '../../agreements/rules.ts';
import { fhirBase } from '../../questionnaires/rules.ts';
import { concept, idSystems, type Resource, referenceTo } from './resource.ts';

/** A record of the ledger with its neighbours in the chain. */
export type Linked = {
  readonly record: ConsentRecord;
  /** When the record after it was made; null: it is the latest. */
  readonly newerAt: string | null;
  /** Known of a revocation; null: it is the first. */
  readonly older: ConsentRecord | null;
};

/** Ours: the SHA-256 of the text that was shown. FHIR's `Attachment.hash` is a SHA-1. */
const contentHashUrl = `${fhirBase}/StructureDefinition/content-sha256`;

export function policyUrl({ agreementId, versionId }: Pick<ConsentRecord, 'agreementId' | 'versionId'>): string {
  return `${fhirBase}/agreement/${agreementId}/version/${versionId}`;
}

/** Which Consent a record is about: a revocation ends the one before it; one without such refuses by itself. */
export function consentIdOf({ record, older }: Linked): string {
  return record.action === 'revoked' && older?.action === 'agreed' ? older.recordId : record.recordId;
}

/** Until when a consent held: the first of the next record and the end of the account; null: it holds. */
function endOf({ record, newerAt }: Linked, ends: readonly string[]): string | null {
  const times = [newerAt, endAfter(record.recordedAt, ends)].filter((time) => time !== null);
  return times.toSorted()[0] ?? null;
}

/**
 * A consent from its record on, as a FHIR R4 Consent: https://hl7.org/fhir/R4/consent.html. A new version is a Consent of its own.
 *
 * @param ends of the account
 * @param content what the text is called; null where the catalogue has it no more
 * @returns null for a revocation that ends a consent: that one says when
 */
export function fhirConsent(
  linked: Linked,
  ends: readonly string[],
  content: LocalisedContent | null,
): Resource | null {
  const { record } = linked;
  const { recordId, recordedAt, userId, contentHash, locale } = record;
  if (consentIdOf(linked) !== recordId) return null;
  const end = endOf(linked, ends);
  const isGiven = record.action === 'agreed';
  const standing = isGiven ? 'active' : 'rejected';
  return {
    resourceType: 'Consent',
    id: recordId,
    extension: [{ url: contentHashUrl, valueString: contentHash }],
    identifier: [{ system: idSystems.consentRecord, value: recordId }],
    status: end === null ? standing : 'inactive',
    scope: concept('http://terminology.hl7.org/CodeSystem/consentscope', 'patient-privacy', 'Privacy Consent'),
    // Of HL7's own value set, https://hl7.org/fhir/R4/valueset-consent-category.html
    category: [concept('http://loinc.org', '59284-0', 'Patient Consent')],
    patient: referenceTo('Patient', userId),
    dateTime: recordedAt,
    performer: [referenceTo('Patient', userId)],
    ...(content && {
      sourceAttachment: { language: locale, url: content.contentUrl, title: content.title },
    }),
    policy: [{ uri: policyUrl(record) }],
    provision: { type: isGiven ? 'permit' : 'deny', period: { start: recordedAt, ...(end !== null && { end }) } },
  };
}
