import { fullUrlOf, type Resource } from './resource.ts';

/** Bundles of FHIR R4: https://hl7.org/fhir/R4/bundle.html. FHIR knows no empty lists: a Bundle without an entry has none. */

export type Page = {
  readonly resources: readonly Resource[];
  /** As they were asked for. */
  readonly count: number;
  readonly types: string | undefined;
  readonly cursor: string | undefined;
  /** Null: nothing follows. */
  readonly nextCursor: string | null;
};

/** A page of what was searched. Its links are relative to the address that was asked: they hold at whichever base address. */
export function searchset({ resources, count, types, cursor, nextCursor }: Page) {
  const query = (at: string | undefined) => {
    const stated = { _count: String(count), ...(types !== undefined && { _type: types }), ...(at && { cursor: at }) };
    return `?${new URLSearchParams(stated)}`;
  };
  const entry = resources.map((resource) => ({ ...entryOf(resource), search: { mode: 'match' } }));
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    link: [
      { relation: 'self', url: query(cursor) },
      ...(nextCursor === null ? [] : [{ relation: 'next', url: query(nextCursor) }]),
    ],
    ...(entry.length > 0 && { entry }),
  };
}

function entryOf(resource: Resource) {
  return { fullUrl: fullUrlOf(resource), resource };
}

/** The text of a Bundle of all, made piece by piece. */
export const headOfFile = '{\n  "resourceType": "Bundle",\n  "type": "collection"';

/** @param isFirst whether none stands before these */
export function entriesOfFile(resources: readonly Resource[], isFirst: boolean): string {
  if (resources.length === 0) return '';
  const texts = resources.map((resource) => JSON.stringify(entryOf(resource), null, 2).replaceAll('\n', '\n    '));
  return `${isFirst ? ',\n  "entry": [' : ','}\n    ${texts.join(',\n    ')}`;
}

/** @param isEmpty whether no entry stands before it */
export function footOfFile(isEmpty: boolean): string {
  return isEmpty ? '\n}\n' : '\n  ]\n}\n';
}
