import type { IntegrationModel, StageModel } from './model.ts';

/**
 * How much longer the stage waits than the template says and than the functions themselves wait: the tests' stages are patient, so
 * that a slow machine changes no result. What is deployed knows nothing of it.
 */
export type Patience = {
  readonly factor: number;
  /** What the functions' timers wait for (`setTimeout`) when they limit a call. `AbortSignal.timeout` always limits. */
  readonly limitsMs: readonly number[];
};

/**
 * Longer time-outs: of functions, and of whoever waits for one. A queue hides its messages three times as long: a slow function
 * does not meet its own message again, and a message that comes again does so before a test gives up.
 */
export function patientModel(model: StageModel, factor: number): StageModel {
  if (factor === 1) return model;
  const longer = <T extends { readonly timeoutMs: number }>(one: T): T => ({
    ...one,
    timeoutMs: one.timeoutMs * factor,
  });
  const integrationOf = (integration: IntegrationModel) =>
    integration.type === 'lambda' ? longer(integration) : integration;
  return {
    ...model,
    functions: model.functions.map(longer),
    queues: model.queues.map((queue) => ({ ...queue, visibilityMs: queue.visibilityMs * Math.min(factor, 3) })),
    userPools: model.userPools.map((pool) => ({
      ...pool,
      tokenTrigger: pool.tokenTrigger && longer(pool.tokenTrigger),
    })),
    apis: model.apis.map((api) => ({
      ...api,
      authorizers: api.authorizers.map(longer),
      methods: api.methods.map((method) => ({ ...method, integration: integrationOf(method.integration) })),
    })),
  };
}
