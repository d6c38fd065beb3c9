import type { ConsentRecord } from '../../access/consent-states.ts';
import type { LocalisedContent } from '../../agreements/rules.ts';
import { partitionOf } from '../../consents/rules.ts';
import { readContent, readStoredReceipts } from '../../receipts/exports.ts';
import { fhirConsent } from '../rules/consent.ts';
import { fhirProvenance } from '../rules/provenance.ts';
import { type PlacedRecord, readChains } from './consent-chains.ts';
import type { FhirDependencies, Section } from './dependencies.ts';

/** The catalogue of which a patient's agreements are. */
const application = 'sleepcare';

export const consents: Section = async (deps, page) => {
  const { found, next } = await readChains(deps, page);
  const texts = await readTexts(deps, found);
  const resources = found.flatMap(({ linked, place }) => {
    const resource = fhirConsent(linked, deps.ends, texts.get(textKey(linked.record)) ?? null);
    return resource ? [{ resource, place }] : [];
  });
  return { found: resources, next };
};

export const provenances: Section = async (deps, page) => {
  const { found, next } = await readChains(deps, page);
  const receipts = await readReceipts(deps, found);
  const resources = found.map(({ linked, place }) => {
    const { record } = linked;
    const receipt = receipts.get(partitionOf(record))?.get(record.recordedAt) ?? null;
    return { resource: fhirProvenance(linked, receipt), place };
  });
  return { found: resources, next };
};

/** By the text: few records have another than the next. */
async function readTexts(
  deps: FhirDependencies,
  found: readonly PlacedRecord[],
): Promise<Map<string, LocalisedContent | null>> {
  const named = new Map(found.map(({ linked }) => [textKey(linked.record), linked.record]));
  const read = [...named].map(async ([key, record]) => {
    return [key, await readContent(deps.tables.Agreements, { ...record, application })] as const;
  });
  return new Map(await Promise.all(read));
}

function textKey({ versionId, locale, contentHash }: ConsentRecord): string {
  return JSON.stringify([versionId, locale, contentHash]);
}

/** By chain, then by the time of the record. */
async function readReceipts({ tables }: FhirDependencies, found: readonly PlacedRecord[]) {
  const chains = Map.groupBy(found, ({ linked }) => partitionOf(linked.record));
  const read = [...chains].map(async ([partition, records]) => {
    const times = records.map(({ linked }) => linked.record.recordedAt);
    return [partition, await readStoredReceipts(tables.ConsentReceipts, partition, times)] as const;
  });
  return new Map(await Promise.all(read));
}
