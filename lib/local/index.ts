/**
 * The entry point of the local stage: code outside of lib/local imports only this file and early.ts. README.md lists what the stage
 * emulates, and how well.
 */

export { type Backend, startBackend } from './backend.ts';
export { printedAnswer, printedLine } from './console.ts';
export type { DataAccess } from './data-access.ts';
export { codeAt, stepAt } from './identity/cognito/totp.ts';
export type { FindPushOwner } from './pushes.ts';
export { type RunningStage, type StageOptions, startStage } from './stage.ts';
export { type Synthesis, type SynthesisOptions, synthesize } from './synth.ts';
export {
  type AssemblyStack,
  readAssembly,
  readTemplate,
  type Template,
  type TemplateResource,
} from './template/assembly.ts';
export { type Limit, limitsOf } from './template/limits.ts';
export { readStageModel, resourcesIn } from './template/stage-model.ts';
