import { CORE_SCHEMA, load } from 'js-yaml';
import type { Template } from '../lib/local/index.ts';

/**
 * Reads a template from CloudFormation: JSON from `cdk deploy`, which uploads the assembly's file, or YAML from `cdk import`, which
 * writes its own template. The template stage `Processed` does not help: without transforms it is the same text.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_GetTemplate.html
 *
 * @throws an Error in one sentence if it is neither, or has the short forms (`!Ref`) that the CDK never writes
 */
export function parseTemplate(stack: string, body: string): Template {
  if (body.trimStart().startsWith('{')) return JSON.parse(body);
  try {
    // By the core schema of YAML 1.2 a date is a text.
    const template = load(body, { schema: CORE_SCHEMA });
    if (template !== null && typeof template === 'object' && 'Resources' in template) return template as Template;
  } catch {
    // Reported below.
  }
  throw new Error(
    `the template of ${stack} was not written by the CDK and cannot be compared: compare it by hand (aws cloudformation get-template --stack-name ${stack}) and deploy it once with npm run deploy`,
  );
}
