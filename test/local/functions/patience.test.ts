import { describe, expect, test } from 'vitest';
import { synthesize } from '../../../bin/stage.ts';
import { patientModel } from '../../../lib/local/patience.ts';
import { readStageModel } from '../../../lib/local/template/stage-model.ts';
import { bundle, testHost } from './bundle.ts';

/** In which order its timers end: those of one process end in the order of their times, however late they are. */
const timers = `export const handler = async () => {
  const ended = [];
  const timer = (name, ms) => new Promise((resolve) => setTimeout((given) => { ended.push(given); resolve(); }, ms, name));
  const signal = new Promise((resolve) => {
    AbortSignal.timeout(20).addEventListener('abort', () => { ended.push('signal'); resolve(); });
  });
  await Promise.all([signal, timer('limit', 30), timer('pause', 100)]);
  return ended;
};`;

describe('limits inside a function', () => {
  test('are longer by the factor: a signal, and a timer of a declared limit, but no other timer', async () => {
    await using host = testHost({ patience: { factor: 10, limitsMs: [30] } });
    expect(await host.invoke(bundle(timers), {})).toMatchObject({ payload: ['pause', 'signal', 'limit'] });
  });

  test('are as they are without patience', async () => {
    await using host = testHost();
    expect(await host.invoke(bundle(timers), {})).toMatchObject({ payload: ['signal', 'limit', 'pause'] });
  });
});

test('the time-outs of functions, and of whoever waits for one, are longer by the factor', async () => {
  const model = readStageModel(await synthesize('dev'));
  const patient = patientModel(model, 10);
  expect(model.functions.length).toBeGreaterThan(0);
  expect(patient.functions.map(({ timeoutMs }) => timeoutMs / 10)).toEqual(
    model.functions.map(({ timeoutMs }) => timeoutMs),
  );
  type Waits = (of: typeof model) => number[];
  const integrations: Waits = ({ apis }) =>
    apis.flatMap(({ methods }) =>
      methods.flatMap(({ integration }) => (integration.type === 'lambda' ? [integration.timeoutMs] : [])),
    );
  const authorizers: Waits = ({ apis }) => apis.flatMap((api) => api.authorizers.map(({ timeoutMs }) => timeoutMs));
  const triggers: Waits = ({ userPools }) => userPools.flatMap(({ tokenTrigger }) => tokenTrigger?.timeoutMs ?? []);
  for (const waits of [integrations, authorizers, triggers]) {
    expect(waits(model).length).toBeGreaterThan(0);
    expect(waits(patient)).toEqual(waits(model).map((ms) => ms * 10));
  }
  // A function with the message of a queue ends before the message is seen again.
  const ofQueues = patient.eventSources.flatMap((source) => ('queueArn' in source ? [source] : []));
  expect(ofQueues.length).toBeGreaterThan(0);
  for (const { queueArn, functionArn } of ofQueues) {
    const hidden = patient.queues.find(({ arn }) => arn === queueArn)?.visibilityMs;
    expect(hidden).toBeGreaterThan(patient.functions.find(({ arn }) => arn === functionArn)?.timeoutMs ?? Infinity);
  }
  expect(patientModel(model, 1)).toEqual(model);
});
