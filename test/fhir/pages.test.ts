import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Resource } from '../../functions/fhir/rules/resource.ts';
import type { FhirDependencies, Section } from '../../functions/fhir/stores/dependencies.ts';
import { type Named, readResources } from '../../functions/fhir/stores/read-resources.ts';
import type { Position } from '../../lib/contract/collection.ts';

/** A section of numbered rows, of which some are of no resource, and whose reads end early. */
function sectionOf(name: string, rows: readonly ('there' | 'nothing' | 'large')[], most: number): Named {
  const read: Section = async (_reach, { limit, after }) => {
    const from = after === null ? 0 : Number(after) + 1;
    const to = Math.min(rows.length, from + Math.min(limit, most));
    const found = rows.slice(from, to).flatMap((row, index) => {
      const resource = { resourceType: 'Patient', id: `${name}-${from + index}` } as Resource;
      const text = row === 'large' ? { text: 'x'.repeat(2_000_000) } : {};
      return row === 'nothing' ? [] : [{ resource: { ...resource, ...text }, place: String(from + index) }];
    });
    return { found, next: to < rows.length ? String(to - 1) : null };
  };
  return { name, type: 'Patient', read };
}

const row = fc.constantFrom('there' as const, 'there' as const, 'nothing' as const);
const section = fc.record({ rows: fc.array(row, { maxLength: 40 }), most: fc.integer({ min: 1, max: 50 }) });

async function pagesOf(sections: readonly Named[], limit: number) {
  const pages: string[][] = [];
  let from: Position | null = null;
  do {
    const page = await readResources({} as FhirDependencies, { types: undefined, limit, from }, sections);
    pages.push(page.resources.map(({ id }) => id));
    // As a cursor carries it.
    from = page.next && JSON.parse(JSON.stringify(page.next));
  } while (from !== null && pages.length < 500);
  return pages;
}

test('pages of every size have each resource once, in order, and end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(section, { maxLength: 6 }), fc.integer({ min: 1, max: 30 }), async (made, limit) => {
      const sections = made.map(({ rows, most }, index) => sectionOf(`s${index}`, rows, most));
      const all = made.flatMap(({ rows }, index) =>
        rows.flatMap((each, number) => (each === 'nothing' ? [] : [`s${index}-${number}`])),
      );
      const pages = await pagesOf(sections, limit);
      expect(pages.flat()).toEqual(all);
      expect(pages.every((page) => page.length <= limit)).toBe(true);
    }),
  );
});

test('a page is no larger than an answer can be, and one resource of whatever size is a page', async () => {
  const large = sectionOf('s', ['large', 'large', 'there', 'large'], 50);
  expect(await pagesOf([large], 100)).toEqual([['s-0'], ['s-1', 's-2'], ['s-3']]);
});

test('a full page is the last one where nothing follows', async () => {
  const three = sectionOf('a', ['there', 'there', 'there'], 50);
  expect(await pagesOf([three, sectionOf('b', [], 50)], 3)).toHaveLength(1);
});
