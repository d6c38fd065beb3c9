import { parseArgs } from 'node:util';
import { CloudFormationClient, DescribeStackResourceCommand, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { environmentNamed } from '../lib/contract/deployments.ts';
import { readAssembly, synthesize } from '../lib/local/index.ts';
import { readReplacementRules } from './replacement-rules.ts';
import { type Deployed, followersOf, losses, stageChanges, summaryOf } from './stage-changes.ts';
import { parseTemplate } from './template-body.ts';

/**
 * `npm run diff -- --stage prod`: what `npm run deploy -- -c stage=prod` would change, by the templates that are deployed,
 * with the shell's AWS credentials and region. Exit codes: 0 nothing with data in it goes, or `--allow-replacement` says
 * that it may; 1 something would go, or lose what protects it; 2 it could not be compared.
 */

const usage = 'npm run diff -- --stage dev|staging|prod [--allow-replacement]';
const limits = {
  maxAttempts: 5,
  requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000, throwOnRequestTimeout: true },
};

try {
  const { values } = parseArgs({
    options: { stage: { type: 'string' }, 'allow-replacement': { type: 'boolean', default: false } },
  });
  if (!values.stage) throw new Error(usage);
  const { directory } = await synthesize(environmentNamed(values.stage));
  const deployed = deployedBy(new CloudFormationClient(limits));
  const stage = await stageChanges(readAssembly(directory), deployed, readReplacementRules());
  for (const line of summaryOf(stage)) console.log(line);
  const lost = losses(stage);
  if (lost.length > 0) {
    const verdict = `${lost.length} resources that cannot simply be made again would go, or may, or lose their protection`;
    console.error(
      values['allow-replacement'] ? `allowed: ${verdict}` : `REFUSED: ${verdict}; --allow-replacement allows it`,
    );
    if (!values['allow-replacement']) process.exitCode = 1;
  }
  const followers = followersOf(stage);
  if (followers.length > 0)
    console.log(
      `The other stacks read the new names of ${followers.join(', ')} at the same deployment: deploy all of them`,
    );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}

function deployedBy(client: CloudFormationClient): Deployed {
  return {
    async template(stack) {
      const { TemplateBody } = await client
        .send(new GetTemplateCommand({ StackName: stack, TemplateStage: 'Original' }))
        .catch(unlessMissing({ TemplateBody: undefined }));
      return TemplateBody === undefined ? null : parseTemplate(stack, TemplateBody);
    },
    async nested(stack, logicalId) {
      const { StackResourceDetail } = await client
        .send(new DescribeStackResourceCommand({ StackName: stack, LogicalResourceId: logicalId }))
        .catch(unlessMissing({ StackResourceDetail: undefined }));
      return StackResourceDetail?.PhysicalResourceId ?? null;
    },
  };
}

/** CloudFormation has no error of its own for what is not there. */
function unlessMissing<T>(otherwise: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message))
      return otherwise;
    throw error;
  };
}
