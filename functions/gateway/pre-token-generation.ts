import { preTokenGeneration } from '../../lib/runtime/pre-token-generation.ts';
import { lambda } from '../../lib/runtime/runtime.ts';

export const handler = preTokenGeneration(lambda);
