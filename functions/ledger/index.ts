export * as consumers from './consumers.ts';
export { metrics } from './metrics.ts';
export * as signingKeys from './signing-keys.ts';
