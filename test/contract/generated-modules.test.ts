import { describe, expect, test } from 'vitest';
import { erasersModule, erasureModule, exportModule, modules, readersModule } from '../../bin/generated-modules.ts';
import { gatherers } from '../../bin/layers.ts';
import type { OwnedTable } from '../../lib/contract/declarations.ts';
import type { Person } from '../../lib/contract/personal-data.ts';
import { table } from '../../lib/contract/tables.ts';
import { read, write } from '../../lib/contract/uses.ts';

const Diaries = table()('Diaries', { partitionKey: 'userId' });
const Trials = table()('Trials', { partitionKey: 'userId', environments: ['dev'] });

function owned(declared: typeof Diaries | typeof Trials, person: Pick<Person, 'onErasure'>): OwnedTable {
  const whose = { who: 'the user', inExport: true, found: 'partition', ...person } as Person;
  const data = { level: 'health', holds: 'h', why: 'w', howLong: 'l', readers: 'r', people: [whose] } as const;
  return { domain: 'diary', table: declared, data };
}

test('only what is generated may gather all domains', () => {
  expect(modules.map(({ path }) => path).toSorted()).toEqual(gatherers);
});

describe('what an erasure deletes by a key', () => {
  test('says where a table is, if one environment lacks it', () => {
    const text = erasureModule([owned(Diaries, { onErasure: 'erase' }), owned(Trials, { onErasure: 'erase' })]);
    expect(text).toContain(
      'const Diaries = {"name":"Diaries","partitionKey":"userId"} as typeof import(\'../diary/tables.ts\').Diaries;',
    );
    expect(text).toContain(
      'const Trials = {"name":"Trials","partitionKey":"userId","environments":["dev"]} as typeof import(\'../diary/tables.ts\').Trials;',
    );
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

  test('is refused if exports.ts does not export it', () => {
    expect(() => erasersModule([by(Diaries)], () => new Set(['eraseDiary']))).toThrow(
      'functions/diary/personal-data.ts: Diaries is erased by eraseDiaries, which exports.ts does not hand on',
    );
  });

  test('is refused if an environment lacks one of its tables', () => {
    expect(() => erasersModule([by(Trials)], () => new Set(['eraseDiaries']))).toThrow('not in every environment');
  });
});

describe("what a person's export gathers", () => {
  const exported = (inExport: Person['inExport'], of: typeof Diaries | typeof Trials = Diaries): OwnedTable => {
    const each = owned(of, { onErasure: 'erase' });
    return { ...each, data: { ...each.data, people: each.data.people.map((who) => ({ ...who, inExport }) as Person) } };
  };
  const own = (used: typeof Diaries | typeof Trials) => exported({ by: 'readDiaries', uses: [read(used)] });
  const page = {
    name: 'diary.html',
    holds: { en: 'a page', de: 'eine Seite' },
    by: 'writePage',
    uses: [read(Diaries)],
  };
  const names = () => new Set(['readDiaries', 'writePage']);

  test('is read by its key, without the omitted fields; other tables are not in it', () => {
    const text = exportModule([exported({ without: ['revision'] }), exported(true, Trials)], []);
    expect(text).toContain('{ table: Diaries, without: ["revision"], inEnglish: {"holds":"h",');
    expect(text).toContain('{ table: Trials, inEnglish:');
    expect(text).toContain("{ table: Diaries, access: 'read' },");
    expect(exportModule([exported(false)], [])).not.toContain('Diaries');
  });

  test('a reader and a file are imported from exports.ts, and what they use is read', () => {
    const text = readersModule([own(Diaries)], [{ domain: 'pages', file: page }], names);
    expect(text).toContain("import { readDiaries } from '../../diary/exports.ts';");
    expect(text).toContain("import { writePage } from '../../pages/exports.ts';");
    expect(text).toContain('export const ownReaders = { readDiaries };\nexport const ownWriters = { writePage };');
    expect(exportModule([], [{ domain: 'pages', file: page }])).toContain("{ table: Diaries, access: 'read' },");
  });

  test('is refused if exports.ts does not export it, an environment lacks a table, or two files have the same name', () => {
    expect(() => readersModule([own(Diaries)], [], () => new Set())).toThrow('exports.ts does not hand it on');
    expect(() => readersModule([own(Trials)], [], names)).toThrow('not in every environment');
    const files = [page, page].map((file) => ({ domain: 'pages', file }));
    expect(() => readersModule([], files, names)).toThrow('another diary.html');
    const json = [{ domain: 'pages', file: { ...page, name: 'diary.json' } }];
    expect(() => readersModule([exported(true)], json, names)).toThrow('another diary.json');
    expect(() => exportModule([exported(true), exported(true)], [])).toThrow('for two kinds of people');
  });
});
