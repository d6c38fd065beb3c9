import * as limits from '../lib/runtime/limits.ts';

const { commandLimits: _ofNoFunction, ...ofFunctions } = limits;

/** The limits that the SDK's clients in functions keep by timers, in milliseconds. */
export const functionLimitsMs = Object.values(ofFunctions).flatMap((limit) => {
  return typeof limit === 'number' ? [] : [limit.requestHandler.connectionTimeout, limit.requestHandler.requestTimeout];
});
