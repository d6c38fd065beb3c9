import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { day, openStage, realTimesOf } from './stage.ts';

const stage = await openStage();
afterAll(() => stage.close());
afterEach(async () => {
  expect((await stage.timeMachine('DELETE')).status).toBe(200);
});

describe('200', () => {
  test('an environment begins in real time', async () => {
    const { answer, shows } = await realTimesOf(() => stage.timeMachine('GET'));
    const { status, body } = answer;
    expect([status, body.offsetMs, body.isSet]).toEqual([200, 0, false]);
    shows(body.now, 0);
  });

  test('a set clock runs on from there, and is one for both applications', async () => {
    const { body } = await stage.timeMachine('PUT', { now: '2030-06-01T08:00:00.000Z' });
    expect(body).toMatchObject({ now: '2030-06-01T08:00:00.000Z', isSet: true });
    for (const application of ['sleepcare', 'medinfo'] as const) {
      const tool = await stage.signedIn('developer', application, 'developer-tools');
      const { answer, shows } = await realTimesOf(() => tool('GET', '/time-machine'));
      expect(answer.body).toMatchObject({ offsetMs: body.offsetMs, isSet: true });
      shows(answer.body.now, body.offsetMs);
    }
  });

  test('the time is read in any offset', async () => {
    const { status, body } = await stage.timeMachine('PUT', { now: '2030-06-01T10:30:00.25+02:30' });
    expect([status, body.now]).toEqual([200, '2030-06-01T08:00:00.250Z']);
  });

  test.each([
    ['PT8H', day / 3],
    ['-P1D', -day],
    ['P1DT0.5S', day + 500],
  ])('advance %s, from where the clock stands', async (advance, expected) => {
    expect((await stage.timeMachine('PUT', { advance })).body).toMatchObject({ offsetMs: expected, isSet: true });
    expect((await stage.timeMachine('PUT', { advance })).body).toMatchObject({ offsetMs: 2 * expected });
  });

  test('ten who advance it at once all do', async () => {
    await Promise.all(Array.from({ length: 10 }, () => stage.timeMachine('PUT', { advance: 'PT1H' })));
    expect((await stage.timeMachine('GET')).body.offsetMs).toBe(36_000_000);
  });

  test('a deleted clock shows real time; once more is the same', async () => {
    await stage.timeMachine('PUT', { advance: 'P30D' });
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await stage.timeMachine('DELETE');
      expect([status, body.offsetMs, body.isSet]).toEqual([200, 0, false]);
    }
  });
});

describe('400', () => {
  test.each([
    ['neither', {}, '', 'inconsistent'],
    ['both', { now: '2030-06-01T08:00:00.000Z', advance: 'PT8H' }, '', 'inconsistent'],
    ['a month, whose length depends on which', { advance: 'P1M' }, 'advance', 'invalid_format'],
    ['a time without an offset', { now: '2030-06-01T08:00:00' }, 'now', 'invalid_format'],
    ['a day that no calendar has', { now: '2030-02-30T08:00:00.000Z' }, 'now', 'invalid_format'],
    ['a time before 2000', { now: '1999-12-31T23:59:59.999Z' }, 'now', 'too_small'],
    ['a time that is before 2000 in UTC', { now: '2000-01-01T00:59:59+01:00' }, 'now', 'too_small'],
    ['a time after 2099', { now: '2100-01-01T00:00:00.000Z' }, 'now', 'too_big'],
    ['a way beyond 2099', { advance: 'P99999D' }, 'advance', 'too_big'],
    ['a way back before 2000', { advance: '-P99999D' }, 'advance', 'too_small'],
    ['a way beyond all numbers', { advance: '-P999999999W' }, 'advance', 'too_small'],
  ])('%s', async (_name, body, path, code) => {
    const answer = await stage.timeMachine('PUT', body);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', detail: { issues: [{ in: 'body', path, code }] } },
    });
  });

  test('a step beyond 2099 is refused from where the clock stands, and moves nothing', async () => {
    await stage.timeMachine('PUT', { now: '2099-12-31T00:00:00.000Z' });
    const answer = await stage.timeMachine('PUT', { advance: 'P1D' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect((await stage.timeMachine('GET')).body.now).toMatch(/^2099-12-31T00:00/);
  });
});

describe('403', () => {
  test('a caller who is not a developer', async () => {
    const user = await stage.signedIn('patient', 'sleepcare');
    for (const method of ['GET', 'PUT', 'DELETE']) {
      expect(await user(method, '/time-machine')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    }
  });
});
