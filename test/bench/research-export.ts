import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { seed } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';
import { deployments } from '../../functions/product.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { watchProcesses } from './process-usage.ts';
import type { Section } from './report.ts';
import { writeParticipants } from './research-export-rows.ts';

/**
 * One export of a large study on a whole local stage: how long it takes, how large its files are, and how much memory and CPU time
 * the function has. A large stage needs a larger heap: `NODE_OPTIONS=--max-old-space-size=12288`.
 */

const longestMs = 3_600_000;
const pollMs = 500;

type File = { readonly name: string; readonly bytes: number; readonly rows: number };

export async function researchExport(size: { participants: number; days: number }): Promise<Section> {
  const stage = await startStage({
    rateLimit: false,
    initWork: false,
    seed,
    onLog: () => undefined,
    onSourceProblem: () => undefined,
    // The functions behind the streams stand still: they would work through every row that is written below.
    intercept: { dynamodb: ({ action }) => (action === 'GetRecords' ? 'throttle' : undefined) },
  });
  const { endpoint, region, credentials, tables } = stage.data;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  try {
    const found = stage.model().functions.find(({ operation }) => operation === 'make-research-export');
    if (!found) throw new Error('there is no function that makes exports');
    const researcher = await signedIn(stage);
    const studyId = await recruiting(researcher);
    const rowsWritten = await writeParticipants({ client, tables }, { studyId, ...size });
    console.error(`${rowsWritten} rows are written`);
    const exports = `/research/studies/${studyId}/exports`;
    const used = watchProcesses(found.arn);
    const began = performance.now();
    const { exportId } = (await researcher('POST', exports)).body;
    const { participants, files } = await done(researcher, `${exports}/${exportId}`);
    const seconds = (performance.now() - began) / 1000;
    if (participants !== size.participants) throw new Error(`${participants} participants are in the export`);
    return written(size, { files, seconds, ...used() });
  } finally {
    client.destroy();
    await stage.close();
  }
}

type Measured = ReturnType<ReturnType<typeof watchProcesses>> & {
  readonly files: readonly File[];
  readonly seconds: number;
};

function written({ participants, days }: { participants: number; days: number }, measured: Measured): Section {
  const { files, seconds, processes, peakMebibytes, cpuSeconds } = measured;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const all = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const exported = files.filter(({ name }) => name.endsWith('.ndjson'));
  const rows = exported.reduce((sum, file) => sum + file.rows, 0);
  return {
    title: 'An export of a study',
    text: `${participants} participants with ${days} nights each, on a local stage.`,
    tables: [
      {
        head: ['', ''],
        rows: [
          ['time', `${seconds.toFixed(0)} s`],
          ['participants a second', (participants / seconds).toFixed(1)],
          ['rows a second, each of them in CSV and in NDJSON', (rows / seconds).toFixed(0)],
          ['CPU time of the function', `${cpuSeconds.toFixed(0)} s`],
          ['processes of the function', `${processes}`],
          ['greatest resident memory of one', `${peakMebibytes.toFixed(0)} MiB`],
          ['all files', megabytes(all)],
        ],
      },
      {
        head: ['file', 'rows', 'size'],
        rows: files.map((file) => [file.name, `${file.rows}`, megabytes(file.bytes)]),
      },
    ],
  };
}

type Caller = Awaited<ReturnType<typeof signedIn>>;

async function signedIn({ url }: RunningStage) {
  const query = new URLSearchParams({ user: 'bench', roles: 'researcher', application: 'medinfo' });
  const token = await (await fetch(`${url}/_local/token?${query}`)).text();
  return async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${url}${deployments.medinfo.basePath}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status} ${text}`);
    return { body: JSON.parse(text), etag: answer.headers.get('etag') ?? '' };
  };
}

async function recruiting(researcher: Caller): Promise<string> {
  const { body } = await researcher('POST', '/research/studies', {
    title: 'A large study',
    agreementId: 'research-data',
    dataClasses: ['diary', 'questionnaires', 'learning'],
    period: { from: '2020-01-01', until: '2098-12-31' },
    groups: [],
    quasiIdentifiers: [{ field: 'timezone', smallCells: 'generalise' }],
    shiftDates: true,
  });
  const study = `/research/studies/${body.studyId}`;
  const { etag } = await researcher('GET', study);
  await researcher('POST', `${study}/transition`, { to: 'recruiting' }, { 'If-Match': etag });
  return body.studyId;
}

async function done(researcher: Caller, path: string): Promise<{ participants: number; files: readonly File[] }> {
  const end = performance.now() + longestMs;
  let said = 0;
  while (performance.now() < end) {
    const { body } = await researcher('GET', path);
    if (body.status === 'done') return body;
    if (body.status === 'failed') throw new Error(`the export failed: ${body.failure}`);
    if (body.enrolments - said >= 200) {
      said = body.enrolments;
      console.error(`${said} enrolments are read`);
    }
    await sleep(pollMs);
  }
  throw new Error('the export is not done');
}
