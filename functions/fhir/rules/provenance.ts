import { consentIdOf, type Linked, policyUrl } from './consent.ts';
import { concept, idSystems, type Resource, referenceTo } from './resource.ts';

const participant = 'http://terminology.hl7.org/CodeSystem/provenance-participant-type';
const operation = 'http://terminology.hl7.org/CodeSystem/v3-DataOperation';

export type Receipt = { readonly issuedAt: string; readonly receipt: string };

/**
 * Where a Consent comes from, as a FHIR R4 Provenance: each record of the ledger is one, of the Consent that it gives or ends. Its
 * signature is the receipt, a JWS that carries what it signs: it proves the record, not the text of this resource.
 *
 * @param receipt null before somebody has asked for it
 */
export function fhirProvenance(linked: Linked, receipt: Receipt | null): Resource {
  const { record } = linked;
  const { recordId, recordedAt, userId, action, hash, source } = record;
  const who = referenceTo('Patient', userId);
  const imported = { who: { display: 'Imported from an earlier system' } };
  return {
    resourceType: 'Provenance',
    id: recordId,
    target: [referenceTo('Consent', consentIdOf(linked))],
    occurredDateTime: recordedAt,
    recorded: recordedAt,
    policy: [policyUrl(record)],
    activity: action === 'agreed' ? concept(operation, 'CREATE', 'create') : concept(operation, 'UPDATE', 'revise'),
    agent: [
      { type: concept(participant, 'author', 'Author'), who },
      ...(source === 'imported' ? [{ type: concept(participant, 'enterer', 'Enterer'), ...imported }] : []),
    ],
    entity: [{ role: 'source', what: { identifier: { system: idSystems.consentRecordHash, value: hash } } }],
    ...(receipt && { signature: [signatureOf(receipt)] }),
  };
}

function signatureOf({ issuedAt, receipt }: Receipt) {
  const type = { code: '1.2.840.10065.1.12.1.14', display: 'Source Signature' };
  return {
    type: [{ system: 'urn:iso-astm:E1762-95:2013', ...type }],
    when: issuedAt,
    who: { display: 'The service, by the key that the receipt names' },
    sigFormat: 'application/jose',
    data: Buffer.from(receipt).toString('base64'),
  };
}
