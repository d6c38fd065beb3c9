import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { BatchWriteCommand, type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { tableVariable } from '../../lib/contract/tables.ts';
import { documentClient } from './document-client.ts';
import type { Section } from './report.ts';
import { median, medianRatio, quantile } from './statistics.ts';
import type { Stage } from './throughput-stage.ts';
import { type Ask, type Traffic, traffic } from './traffic.ts';

/** List and agree over HTTP: the local stage against the same endpoints written by hand, over the stage's DynamoDB. */

const connections = 8;
/** Of the seed: what one user can agree to. */
const versions = ['terms-of-service-1.0', 'privacy-policy-1.0', 'marketing-1.0', 'research-data-1.0'];
const endpoints = ['agree', 'list'] as const;

type Side = { readonly name: string; readonly port: number; readonly base: string };

/** @param withPeers false measures only the stage, with itself as the control */
export async function throughput(rounds: number, users: number, withPeers: boolean): Promise<Section> {
  const processes: ChildProcess[] = [];
  const started = async <M>(file: string, env: NodeJS.ProcessEnv, ...args: string[]): Promise<M> => {
    const child = fork(join(import.meta.dirname, file), args, { env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    processes.push(child);
    const failed = once(child, 'exit').then(([code]) => {
      throw new Error(`${file} ended with ${code}`);
    });
    const [message] = await Promise.race([once(child, 'message'), failed]);
    return message;
  };
  try {
    const stage = await started<Stage>('throughput-stage.ts', process.env, String(users));
    const ours = { name: 'the local stage', port: stage.port, base: '/de/v1' };
    const sides: Side[] = [ours, { ...ours, name: 'the local stage again' }];
    if (withPeers) {
      const port = await started<number>('../tools/peers/server.ts', variables(stage));
      sides.push({ name: 'Express by hand', port, base: '/v1' });
    }
    const client = documentClient(stage.dynamo);
    const table = stage.tables.ConsentStates ?? '';
    const found = new Map(sides.map((side) => [side, { agree: [] as Traffic[], list: [] as Traffic[] }]));
    // The first round starts the functions and is not counted.
    for (let round = 0; round <= rounds; round += 1) {
      for (let index = 0; index < sides.length; index += 1) {
        const side = sides[(round + index) % sides.length] ?? ours;
        await emptyStates(client, table);
        for (const endpoint of endpoints) {
          const one = await traffic(side.port, asks(endpoint, side, stage.tokens), connections);
          if (round > 0) found.get(side)?.[endpoint].push(one);
        }
      }
    }
    client.destroy();
    return section(rounds, users, sides, (side) => found.get(side) ?? { agree: [], list: [] });
  } finally {
    for (const child of processes) if (child.connected) child.disconnect();
  }
}

/** A user agrees to everything once; then everybody's list is asked for, as often. */
function asks(endpoint: (typeof endpoints)[number], { base }: Side, tokens: readonly string[]): Ask[] {
  return versions.flatMap((version) =>
    tokens.map((token) =>
      endpoint === 'list'
        ? { method: 'GET', path: `${base}/users/agreements`, token }
        : { method: 'POST', path: `${base}/agreements/versions/${version}/agree`, token },
    ),
  );
}

/** So that every agree of the next round writes. */
async function emptyStates(client: DynamoDBDocumentClient, table: string): Promise<void> {
  const { Items: rows = [] } = await client.send(new ScanCommand({ TableName: table, ConsistentRead: true }));
  for (let from = 0; from < rows.length; from += 25) {
    const requests = rows.slice(from, from + 25).map(({ userId, agreementId }) => ({
      DeleteRequest: { Key: { userId, agreementId } },
    }));
    await client.send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
  }
}

function variables({ dynamo, tables, issuerUrl, tokens }: Stage): NodeJS.ProcessEnv {
  const [, payload = ''] = (tokens[0] ?? '').split('.');
  const { iss, client_id } = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return {
    ...process.env,
    NODE_ENV: 'production',
    AWS_REGION: dynamo.region,
    AWS_ACCESS_KEY_ID: dynamo.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: dynamo.credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: dynamo.endpoint,
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: issuerUrl,
    USER_POOL_ID: String(iss).split('/').at(-1),
    CLIENT_ID: client_id,
    ...Object.fromEntries(Object.entries(tables).map(([name, named]) => [tableVariable({ name }), named])),
  };
}

function section(
  rounds: number,
  users: number,
  sides: readonly Side[],
  of: (side: Side) => Record<(typeof endpoints)[number], Traffic[]>,
): Section {
  const rates = (side: Side, endpoint: (typeof endpoints)[number]) => of(side)[endpoint].map((one) => one.perSecond);
  const rows = endpoints.flatMap((endpoint) =>
    sides.map((side) => {
      const latencies = of(side)[endpoint].flatMap((one) => one.latencies);
      const ratio = medianRatio(sides[0] ? rates(sides[0], endpoint) : [], rates(side, endpoint));
      const cells = [median(rates(side, endpoint)).toFixed(0), quantile(latencies, 0.5).toFixed(1)];
      return [endpoint, side.name, ...cells, quantile(latencies, 0.99).toFixed(1), ratio.toFixed(2)];
    }),
  );
  return {
    title: 'Throughput of the whole',
    text:
      `${connections} kept-alive connections, ${users} users who agree to ${versions.length} agreements and list them as ` +
      `often; median of ${rounds} rounds, interleaved. The stage is gateway, authorizer and functions, all functions in ` +
      'one thread; the other side is one process that verifies the token ' +
      'itself. Both use the stage’s DynamoDB, and share the cores with it and with the test client.',
    tables: [{ head: ['endpoint', '', 'a second', 'p50 ms', 'p99 ms', 'the stage ÷ it'], rows }],
  };
}
