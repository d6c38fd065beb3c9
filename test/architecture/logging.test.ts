import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readSources } from '../../bin/source-imports.ts';
import { metricNamespace } from '../../lib/contract/metrics.ts';
import { ofType, stage } from '../stack/stage.ts';
import { sectionOf } from './tables.ts';

/** docs/security/logging.md names each line that a function writes, and no other. */

const root = new URL('../..', import.meta.url).pathname;
const page = readFileSync(`${root}docs/security/logging.md`, 'utf8');
const sources = [...readSources(root)].filter(([file]) => /^(functions|lib\/runtime)\//.test(file));

/** Where the message of a line is no text: it comes from a call or a declaration, which this reads instead. */
const byName: Readonly<Record<string, RegExp>> = {
  'lib/runtime/authorizer.ts': /\bunavailable\('([^']+)'/g,
  'lib/runtime/perform.ts': /\blog\('([^']+)'/g,
  'functions/evidence/stores/tampering.ts': /(?!)/g,
};
const literal = /\blevel\b[:,](?:[^{};]|\$\{)*?\bmessage: '([^']+)'/g;

function textsIn(source: string, pattern: RegExp): string[] {
  return [...source.matchAll(pattern)].map(([, text = '']) => text);
}

const written = new Set(
  sources.flatMap(([file, source]) => [
    ...textsIn(source, literal),
    // Tables that are watched: their messages are in their declarations.
    ...textsIn(source, /\bmessage: '([^']+)',\s+subject: '/g),
    ...textsIn(source, byName[file] ?? /(?!)/g),
  ]),
);

const rowsOf = (heading: string) => sectionOf(page, heading).filter((row) => row.startsWith('| `'));
const codesIn = (text = '') => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
const cellsOf = (row: string) => row.split(/(?<!\\)\|/).map((cell) => cell.trim());

describe('the page of logs', () => {
  test('names each line, and no other', () => {
    const named = [...rowsOf('Security events'), ...rowsOf('Other lines')].flatMap((row) => codesIn(cellsOf(row)[1]));
    expect(written.size).toBeGreaterThan(40);
    expect([...new Set(named)].toSorted()).toEqual([...written].toSorted());
  });

  test('names no line as both', () => {
    const events = rowsOf('Security events').flatMap((row) => codesIn(cellsOf(row)[1]));
    expect(
      rowsOf('Other lines')
        .flatMap((row) => codesIn(cellsOf(row)[1]))
        .filter((line) => events.includes(line)),
    ).toEqual([]);
  });

  test('names metrics that an alarm watches, and has a link to each alarm', () => {
    const alarms = Object.values(stage('prod').templates).flatMap((template) =>
      Object.values(ofType('AWS::CloudWatch::Alarm', template)).map(({ Properties }) => JSON.stringify(Properties)),
    );
    for (const row of rowsOf('Security events')) {
      const [, , , metrics, alarm] = cellsOf(row);
      for (const metric of codesIn(metrics)) {
        expect(
          alarms.some((text) => text.includes(metricNamespace) && text.includes(`"${metric}"`)),
          metric,
        ).toBe(true);
        expect(alarm, metric).toContain('../runbook.md#');
      }
    }
  });
});

test('a message that is no text is read elsewhere', () => {
  const lines = /\blevel\b[:,](?:[^{};]|\$\{)*?\bmessage(?:: (?!')|,)/g;
  const open = sources.filter(([, source]) => [...source.matchAll(lines)].length > 0).map(([file]) => file);
  expect(open.toSorted()).toEqual(Object.keys(byName).toSorted());
});
