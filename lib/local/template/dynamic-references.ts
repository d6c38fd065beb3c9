import type { Resource } from './deployment.ts';
import { resolve } from './intrinsics.ts';
import { physicalName, reference } from './physical.ts';
import { generatedSecret, type Secrets } from './secrets.ts';

/**
 * `{{resolve:secretsmanager:<arn or name>:SecretString:<json key>::}}` and `{{resolve:ssm:<name>}}`, resolved from the
 * stage's own secrets and parameters.
 */
export function dynamicReferences(resources: () => readonly Resource[], secrets: Secrets) {
  const named = (type: string, name: (resource: Resource) => boolean, what: string): Resource => {
    const found = resources().find((resource) => resource.type === type && name(resource));
    if (!found) throw new Error(`the stage has no ${what}`);
    return found;
  };

  return (dynamic: string): string => {
    const [, service, rest] = /^([a-z-]+):(.+)$/.exec(dynamic) ?? [];
    if (service === 'secretsmanager' && rest) {
      const [, id = '', key] = /^(arn(?::[^:]*){6}|[^:]+)(?::SecretString(?::([^:]*))?)?/.exec(rest) ?? [];
      const secret = named(
        'AWS::SecretsManager::Secret',
        (resource) => reference(resource) === id || physicalName(resource) === id,
        `secret ${id}`,
      );
      const value = secretValue(secret, secrets);
      if (!key) return value;
      const field = (JSON.parse(value) as Record<string, unknown>)[key];
      if (typeof field !== 'string') throw new Error(`the secret ${id} has no field ${key}`);
      return field;
    }
    if ((service === 'ssm' || service === 'ssm-secure') && rest) {
      const name = rest.replace(/:\d+$/, '');
      const parameter = named(
        'AWS::SSM::Parameter',
        (resource) => physicalName(resource) === name,
        `parameter ${name}`,
      );
      return String(resolve(parameter.properties.Value, parameter.stack.scope, `${parameter.path}.Value`));
    }
    throw new Error(`{{resolve:${dynamic}}} is not supported on this machine`);
  };
}

function secretValue(secret: Resource, secrets: Secrets): string {
  const property = (name: string) => resolve(secret.properties[name], secret.stack.scope, `${secret.path}.${name}`);
  if (secret.properties.SecretString !== undefined) return String(property('SecretString'));
  return secrets.valueOf(reference(secret), () => generatedSecret(property('GenerateSecretString') ?? {}));
}
