import type { Template } from '../lib/local/index.ts';

/**
 * A template as CloudFormation has it: JSON from `cdk deploy`, which uploads the assembly's file, and YAML from `cdk import`,
 * which writes a template of its own. The stage `Processed` is no way around: without transforms it is the same text.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_GetTemplate.html
 *
 * @throws an Error in one sentence where it is neither, or has the short forms (`!Ref`) that the CDK never writes
 */
export async function parseTemplate(stack: string, body: string): Promise<Template> {
  if (body.trimStart().startsWith('{')) return JSON.parse(body);
  // Only now: the linter that has the parser takes a while to load.
  const { parseYaml } = await import('@redocly/openapi-core');
  try {
    const template = parseYaml(body);
    if (template !== null && typeof template === 'object' && 'Resources' in template) return template as Template;
  } catch {
    // Reported below.
  }
  throw new Error(
    `the template of ${stack} was not written by the CDK and cannot be compared: compare it by hand (aws cloudformation get-template --stack-name ${stack}) and deploy it once with npm run deploy`,
  );
}
