import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';

/** What a run found: printed as it comes, and written into docs/performance.md between its markers. */

export type Table = { readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] };

export type Section = {
  readonly title: string;
  /** What was measured, and how. */
  readonly text: string;
  readonly tables: readonly Table[];
};

const document = new URL('../../docs/performance.md', import.meta.url);
const markers = { begin: '<!-- npm run bench: begin -->', end: '<!-- npm run bench: end -->' };

export function written({ title, text, tables }: Section): string {
  return [`## ${title}`, text, ...tables.map(table)].filter((part) => part !== '').join('\n\n');
}

function table({ head, rows }: Table): string {
  const cells = [head, head.map(() => '---'), ...rows];
  return cells.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Where, when and with what: a figure of another machine is compared with nothing here. */
export function circumstances(peers: boolean): Section {
  const packages = ['esbuild', '@aws-sdk/client-dynamodb', '@middy/core', 'zod', 'aws-cdk-lib'];
  const theirs = ['express', 'serverless-http', '@nestjs/core'].map((name) => `tools/peers/node_modules/${name}`);
  const versions = [...packages.map((name) => `../node_modules/${name}`), ...(peers ? theirs : [])].map((path) => {
    const { name, version } = JSON.parse(readFileSync(new URL(`../${path}/package.json`, import.meta.url), 'utf8'));
    return `${name} ${version}`;
  });
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return {
    title: 'The machine',
    text: '',
    tables: [
      {
        head: ['', ''],
        rows: [
          ['date', new Date().toISOString()],
          ['machine', `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${memory}, ${type()} ${release()}`],
          ['Node', process.version],
          ['packages', versions.join(', ')],
        ],
      },
    ],
  };
}

/** @throws an Error where the document has lost its markers */
export function writeDocument(sections: readonly string[]): void {
  const before = readFileSync(document, 'utf8');
  const [start, end] = [before.indexOf(markers.begin), before.indexOf(markers.end)];
  if (start < 0 || end < start) throw new Error(`docs/performance.md has no ${markers.begin} … ${markers.end}`);
  const head = before.slice(0, start + markers.begin.length);
  writeFileSync(document, `${head}\n\n${sections.join('\n\n')}\n\n${before.slice(end)}`);
}
