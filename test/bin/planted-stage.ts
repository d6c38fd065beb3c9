import { synthesize } from '../../bin/stage.ts';
import type { Environment } from '../../lib/contract/register.ts';
import { readAssembly, readTemplate, type Template } from '../../lib/local/template/assembly.ts';
import type { AwsAccount } from './aws-account.ts';

/** What Medinfo's stack has read. */
export const sharedName = '/mobile-health/dev/Shared';

/** A stage as it is deployed when nothing has changed since, nested stacks and values of Parameter Store included. */
export async function plantStage(
  account: AwsAccount,
  environment: Environment,
  written: (template: Template) => string = JSON.stringify,
): Promise<void> {
  const { directory } = await synthesize(environment, { asDeployed: true, validates: true });
  for (const map of [account.stacks, account.parameters]) map.clear();
  account.calls.length = 0;
  account.on = () => undefined;
  account.isClosed = false;
  account.parameters.set('/cdk-bootstrap/hnb659fds/version', '30').set(sharedName, 'present');
  for (const { name, template, assets } of readAssembly(directory)) {
    const read = name.endsWith('-Medinfo') ? new Map([[sharedName, 'present']]) : new Map<string, string>();
    account.stacks.set(name, { status: 'UPDATE_COMPLETE', template: written(template), read });
    for (const [logicalId, { Type, Properties }] of Object.entries(template.Resources ?? {})) {
      if (Type !== 'AWS::CloudFormation::Stack') continue;
      const url = JSON.stringify(Properties?.TemplateURL);
      const [, file = ''] = [...assets].find(([key]) => url.includes(key)) ?? [];
      account.stacks.set(`${name}/${logicalId}`, { status: 'UPDATE_COMPLETE', template: written(readTemplate(file)) });
    }
  }
}
