import { describe, expect, test } from 'vitest';
import { erasersModule, erasureModule } from '../../bin/generated-modules.ts';
import type { OwnedTable } from '../../functions/domains.ts';
import type { Person } from '../../lib/contract/personal-data.ts';
import { table } from '../../lib/contract/tables.ts';
import { write } from '../../lib/contract/uses.ts';

const Diaries = table('Diaries', { partitionKey: 'userId' });
const Trials = table('Trials', { partitionKey: 'userId', environments: ['dev'] });

function owned(declared: typeof Diaries | typeof Trials, person: Pick<Person, 'onErasure'>): OwnedTable {
  const whose = { who: 'the user', inExport: true, found: 'partition', ...person } as Person;
  const data = { holds: 'h', why: 'w', howLong: 'l', readers: 'r', people: [whose] };
  return { domain: 'diary', table: declared, data };
}

describe('what an erasure deletes by a key', () => {
  test('says where a table is, if one environment lacks it', () => {
    const text = erasureModule([owned(Diaries, { onErasure: 'erase' }), owned(Trials, { onErasure: 'erase' })]);
    expect(text).toContain('const Diaries = {"name":"Diaries","partitionKey":"userId"} as const;');
    expect(text).toContain('const Trials = {"name":"Trials","partitionKey":"userId","environments":["dev"]} as const;');
  });
});

describe("a domain's own eraser", () => {
  const by = (used: typeof Diaries | typeof Trials) =>
    owned(Diaries, { onErasure: { becomes: 'erased', by: 'eraseDiaries', uses: [write(used)] } });

  test('is imported from its exports.ts', () => {
    expect(erasersModule([by(Diaries)], () => new Set(['eraseDiaries']))).toContain(
      "import { eraseDiaries } from '../../diary/exports.ts';",
    );
  });

  test('is refused where exports.ts does not hand it on', () => {
    expect(() => erasersModule([by(Diaries)], () => new Set(['eraseDiary']))).toThrow(
      'functions/diary/data.ts: Diaries is erased by eraseDiaries, which exports.ts does not hand on',
    );
  });

  test('is refused where an environment lacks one of its tables', () => {
    expect(() => erasersModule([by(Trials)], () => new Set(['eraseDiaries']))).toThrow('not in every environment');
  });
});
