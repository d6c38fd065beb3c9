import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { seed } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';
import { staffPart, staffProfile } from '../../functions/access/data-subject.ts';
import type { Application } from '../../lib/contract/register.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { callerAt } from '../caller-at.ts';
import { putConsent } from '../consented.ts';

/** A stage of the file's own, whose clock it sets, with physicians and their patients. */

type Sent = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

export async function openStage() {
  const stage = await startStage({ seed, rateLimit: false, initWork: false });
  const { endpoint, region, credentials } = stage.data;
  const data = documentsOf(new DynamoDBClient({ endpoint, region, credentials }));

  const put = (table: string, Item: Record<string, unknown>) =>
    data.send(new PutCommand({ TableName: stage.data.tables(table), Item }));

  async function signedIn(roles: string, application: Application, user: string = randomUUID()) {
    const client = roles === 'developer' ? 'developer-tools' : 'mobile-app';
    const call = await callerAt(stage, { user, roles, application, client });
    const ask = (method: string, path: string, { body, headers }: Sent = {}) => call(method, path, body, headers);
    return { user, ask };
  }

  const tools = await signedIn('developer', 'sleepcare');

  return {
    access: stage.data,
    put,
    signedIn,
    /** The details of a user's events on the bus. */
    async events(detailType: string, userId: string): Promise<unknown[]> {
      const answer = await fetch(`${stage.url}/_local/bus-events?detailType=${detailType}`);
      const { items } = (await answer.json()) as { items: { event: { detail: { userId: string } } | null }[] };
      return items.flatMap(({ event }) => (event?.detail.userId === userId ? [event.detail] : []));
    },
    /** Restarts every function: a running one may keep the old time for most of a second (lib/runtime/clock.ts). */
    async setClock(now: string) {
      const answer = await tools.ask('PUT', '/time-machine', { body: { now } });
      for (const { operation, codeDir } of stage.model().functions)
        if (operation) stage.replaceCode(operation, codeDir);
      return answer;
    },
    /** What the schedule runs, now. @returns the status of the answer */
    async runNow(operation: string): Promise<number> {
      return (await fetch(`${stage.url}/_local/schedules/${operation}`, { method: 'POST' })).status;
    },
    /** Works at a site. */
    async physician(siteId: string) {
      const physician = await signedIn('physician', 'medinfo');
      await put('Staff', { userId: physician.user, part: staffProfile, name: 'Dr. Ada Example' });
      await put('Staff', { userId: physician.user, part: staffPart(siteId) });
      return physician;
    },
    /** Is with a site, and shares. */
    async patientAt(siteId: string) {
      const patient = await signedIn('patient', 'sleepcare');
      await patient.ask('GET', '/users/me');
      await put('CareRelations', { userId: patient.user, siteId });
      await putConsent(put, { userId: patient.user });
      return patient;
    },
    async close() {
      data.destroy();
      await stage.close();
    },
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;
export type Person = Awaited<ReturnType<Stage['signedIn']>>;
