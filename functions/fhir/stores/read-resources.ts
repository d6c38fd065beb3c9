import type { Position } from '../../../lib/contract/collection.ts';
import { firstThatFit } from '../../../lib/runtime/page-size.ts';
import type { Resource, ResourceType } from '../rules/resource.ts';
import { consents, provenances } from './consent-sections.ts';
import type { FhirDependencies, Section } from './dependencies.ts';
import { diary, episodes, patient, responses } from './health-sections.ts';

export type Named = { readonly name: string; readonly type: ResourceType; readonly read: Section };

/** One after another. A name is in cursors, and in exports under way: it stays. */
const sections: readonly Named[] = [
  { name: 'patient', type: 'Patient', read: patient },
  { name: 'consents', type: 'Consent', read: consents },
  { name: 'provenances', type: 'Provenance', read: provenances },
  { name: 'responses', type: 'QuestionnaireResponse', read: responses },
  { name: 'diary', type: 'Observation', read: diary },
  { name: 'episodes', type: 'Observation', read: episodes },
];

/** Read at least: some rows are of no resource, and a page of none would be of little use. */
const fewest = 10;

type ResourcePageQuery = {
  /** Undefined: all. */
  readonly types: readonly ResourceType[] | undefined;
  readonly limit: number;
  /** Where the page before ended. */
  readonly from: Position | null;
};

/**
 * A page of a person's resources, section by section, at most a page of each. It is as long as was asked for, shorter where
 * the resources are large or the rest of a section is somewhere else, and no longer than an answer of Lambda can be.
 */
export async function readResources(
  deps: FhirDependencies,
  { types, limit, from }: ResourcePageQuery,
  all: readonly Named[] = sections,
): Promise<{ resources: Resource[]; next: Position | null }> {
  const begun = all.findIndex(({ name }) => name === from?.section);
  const rest = all
    .map((section, index) => ({ ...section, after: index === begun ? String(from?.after) : null }))
    .filter(({ type }, index) => index >= begun && (types === undefined || types.includes(type)));
  const read: { resource: Resource; next: Position }[] = [];
  let next: Position | null = null;
  for (const section of rest) {
    const room = limit - read.length;
    // Of a full page no more is asked than whether anything follows.
    const page = await section.read(deps, {
      limit: room === 0 ? 1 : Math.max(room, fewest),
      after: section.after,
    });
    if (room === 0) {
      if (page.found.length === 0 && page.next === null) continue;
      next = read.at(-1)?.next ?? null;
      break;
    }
    const at = (after: string): Position => ({ section: section.name, after });
    read.push(...page.found.map(({ resource, place }) => ({ resource, next: at(place) })));
    next = page.next === null ? null : at(page.next);
    if (next) break;
  }
  const shown = firstThatFit(
    read.map(({ resource }) => resource),
    limit,
  );
  return { resources: shown, next: shown.length < read.length ? (read[shown.length - 1]?.next ?? null) : next };
}
