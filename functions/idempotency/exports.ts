export { recall, rememberedIn } from './stores/idempotency-keys.ts';
