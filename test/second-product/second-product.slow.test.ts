import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunningStage } from '../../lib/local/index.ts';
import { document, start } from './stage.ts';

/** The platform knows no product: another one runs on it, with names that the first one does not have. */

let stage: RunningStage;
let token: string;

beforeAll(async () => {
  stage = await start();
  const answer = await fetch(`${stage.url}/_local/token?user=nurse@example.com`);
  token = await answer.text();
});
afterAll(() => stage.close());

const put = (path: string, authorization = `Bearer ${token}`) =>
  fetch(`${stage.url}/c1/notes-api${path}`, {
    method: 'PUT',
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    body: JSON.stringify({ text: 'Hello' }),
  });

test('its one route answers, and its one table keeps the row', async () => {
  const first = await put('/notes/one');
  expect([first.status, await first.json()]).toEqual([200, { noteId: 'one', text: 'Hello', writtenBefore: false }]);
  expect(await (await put('/notes/one')).json()).toMatchObject({ writtenBefore: true });
  expect((await put('/notes/a%2Fb')).status).toBe(400);
});

test('nobody else may call it, and nothing else is there', async () => {
  expect((await put('/notes/one', 'Bearer x')).status).toBe(401);
  const stranger = await fetch(`${stage.url}/_local/token?user=somebody&application=clinic`);
  expect((await put('/notes/one', `Bearer ${await stranger.text()}`)).status).toBe(403);
  expect(await (await put('/users/me')).json()).toMatchObject({ code: 'ROUTE_NOT_FOUND' });
});

test('its template has its functions, table and user pool, and nothing of the other product', () => {
  const { functions } = stage.model();
  expect(functions.map(({ operation }) => operation).toSorted()).toEqual([
    'authorizer',
    'pre-token-generation',
    'put-note',
    'route-not-found',
  ]);
  expect(functions.find(({ operation }) => operation === 'put-note')?.environment).toMatchObject({
    APPLICATION: 'clinic',
    ENVIRONMENT: 'home',
    NOTES_TABLE: expect.stringContaining('NotesTable'),
  });
  expect(JSON.stringify(stage.model())).not.toMatch(/sleepcare|medinfo|Accounts|Clock/i);
});

test('its document describes its route, at its address', () => {
  const { info, servers, paths } = document();
  expect(info).toMatchObject({ title: 'Clinic', description: expect.stringContaining('The notes of a clinic.') });
  expect(servers.map(({ url }) => url)).toContain('http://localhost:3000/c1/notes-api');
  expect(Object.keys(paths)).toEqual(['/notes/{noteId}']);
  expect(paths['/notes/{noteId}']?.put).toMatchObject({
    operationId: 'putNote',
    'x-applications': ['clinic'],
    'x-environments': ['home'],
    'x-permission': 'notes:write',
  });
});
