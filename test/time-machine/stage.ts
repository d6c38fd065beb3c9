import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import { dependenciesOf, seed } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';
import type { Application } from '../../lib/contract/register.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { type Answer, callerAt } from '../caller-at.ts';

/** A stage whose clock is the test's: the clock is everybody's in its environment, so that the shared stage keeps its own. */

export const day = 86_400_000;
/** Real time, and so much. */
export const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();

/** An answer, and what tells whether a time in it is one of the call's, by a clock that is so far from the real one. */
export async function realTimesOf(ask: () => Promise<Answer>) {
  const began = Date.now();
  const answer = await ask();
  const ended = Date.now();
  const shows = (time: string, offsetMs: number) => {
    expect(Date.parse(time)).toBeGreaterThanOrEqual(began + offsetMs);
    expect(Date.parse(time)).toBeLessThanOrEqual(ended + offsetMs);
  };
  return { answer, shows };
}

export async function openStage() {
  const faults = { clock: false };
  const log: string[] = [];
  const stage = await startStage({
    seed,
    rateLimit: false,
    initWork: false,
    onLog: (fn, _id, line) => log.push(`${fn.operation} ${line}`),
    intercept: {
      dynamodb: ({ input }) => (faults.clock && String(input.TableName).includes('Clock') ? 'error' : undefined),
    },
  });
  const { endpoint, region, credentials, tables } = stage.data;
  const data = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));
  const place = dependenciesOf(stage.data);

  const signedIn = (roles: string, application: Application, client = 'mobile-app') =>
    callerAt(stage, { roles, application, client });

  // Metered: ten calls of one client at a time, refilled by 100 a minute. Each of six gets its turn, and a fast machine waits.
  const tools = (['sleepcare', 'medinfo'] as const).flatMap((application) =>
    ['mobile-app', 'developer-tools', 'integration'].map((client) => ({ application, client })),
  );
  let turn = 0;

  async function timeMachine(method: string, body?: { now?: string; advance?: string }): Promise<Answer> {
    for (;;) {
      turn += 1;
      const { application, client } = tools[turn % tools.length] ?? { application: 'sleepcare', client: 'mobile-app' };
      const answer = await (await signedIn('developer', application, client))(method, '/time-machine', body);
      if (answer.status !== 429) return answer;
      await setTimeout(100);
    }
  }

  return {
    data,
    tables,
    /** Where its catalogue is administered. */
    place,
    /** What of the stage fails from now on. */
    faults,
    /** What the functions logged, each line after its operation. */
    log,
    signedIn,
    origin: stage.url,
    /** A call by a developer. */
    timeMachine,
    async close() {
      data.destroy();
      place.dynamo.destroy();
      place.s3.destroy();
      await stage.close();
    },
  };
}
