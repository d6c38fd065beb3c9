import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { test } from 'vitest';
import { deployments } from '../../functions/product.ts';
import { mapWithConcurrency } from '../../lib/runtime/map-with-concurrency.ts';
import { baseUrl } from '../api.ts';
import { request } from '../hostile/case.ts';
import { cases } from '../hostile/cases/cases.ts';
import { signInCast } from '../hostile/fuzz/callers.ts';
import { operations } from '../hostile/fuzz/document.ts';
import { overrides } from '../hostile/fuzz/overrides.ts';
import { type FuzzRequest, requestsFor } from '../hostile/fuzz/requests.ts';
import { rememberSeen } from '../hostile/fuzz/seen.ts';
import { exchange } from '../hostile/raw-socket.ts';
import { buildWorld, localToken } from '../hostile/world.ts';
import type { Answered } from './answers.ts';

/** How long each hostile request takes to be answered; a program of vitest's, whose stage the requests are written for. */

const fuzzed = 300;
const seed = 20_260_301;

test('measures', async () => {
  const { origin } = new URL(baseUrl());
  const timed = async (name: string, bytes: Parameters<typeof exchange>[1], answers = 1) => {
    const began = performance.now();
    const [answer] = await exchange(origin, bytes, { answers });
    return { name, ms: performance.now() - began, answer };
  };

  // The clock and an erased account would change the answers of all others.
  const served = operations
    .filter(({ id }) => !overrides[id]?.undoneBy && !overrides[id]?.isLast)
    .flatMap((operation) => operation.applications.map((application) => ({ operation, application })));
  const cast = await signInCast({
    issuer: {
      token: ({ application, user, roles, client = 'mobile-app', expiresIn = 900 }) =>
        localToken({ application, user, roles: roles.join(), client, expiresIn: String(expiresIn) }),
    },
  });
  // The first call of each function starts its process.
  await mapWithConcurrency(served, 4, async ({ operation: { method, path }, application }) => {
    const target = `${deployments[application].basePath}${path.replace(/\{\w+\}/g, 'warm')}`;
    await exchange(origin, request(`${method} ${target}`, { token: cast.people[application][0]?.token, body: '{' }));
  });

  const world = await buildWorld();
  const hostile: Answered[] = [];
  for (const { name, bytes, answers } of Object.values(cases).flat()) {
    const { ms } = await timed(name, typeof bytes === 'function' ? bytes(world) : bytes, answers);
    hostile.push({ name, ms });
  }

  const generated: Answered[] = [];
  const seen = rememberSeen();
  for (let index = 0; generated.length < fuzzed; index += 1) {
    const { operation, application } = served[index % served.length] as (typeof served)[number];
    const one = { seed: seed + index, numRuns: 1 };
    const { line, caller, parts } = fc.sample(
      requestsFor(operation, application, { seen, cast }),
      one,
    )[0] as FuzzRequest;
    const token = cast.tokenOf(application, caller);
    const bytes = request(line, { ...parts, ...(token !== undefined && { token }) });
    const { ms, answer } = await timed(`${operation.id}, ${application}`, bytes);
    if (answer && answer.status < 400 && answer.body !== '') seen.addAll(JSON.parse(answer.body));
    generated.push({ name: `${operation.id}, ${application}`, ms });
  }
  writeFileSync(process.env.BENCH_ANSWERS ?? '/dev/null', JSON.stringify({ hostile, generated }));
});
