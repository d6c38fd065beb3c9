import { randomBytes } from 'node:crypto';
import type { FunctionModel } from '../model.ts';

/**
 * All variables that a function finds in `process.env`: its own variables, Lambda's ("Defined runtime environment
 * variables" in the Lambda developer guide) and the host's. No variable of the developer's shell is among them.
 */
export function variablesOf(fn: FunctionModel, more: Readonly<Record<string, string>>): Record<string, string> {
  const region = fn.arn.split(':')[3] || 'us-east-1';
  const stream = `${new Date().toISOString().slice(0, 10).replaceAll('-', '/')}/[$LATEST]${randomBytes(16).toString('hex')}`;
  return {
    ...fn.environment,
    // Without HOME the SDK asks the system for the developer's home, and reads the credentials there.
    HOME: '/home/sbx_user1051',
    LANG: 'en_US.UTF-8',
    PATH: '/usr/local/bin:/usr/bin:/bin',
    TZ: ':UTC',
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(fn.memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: fn.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${fn.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: stream,
    LAMBDA_TASK_ROOT: fn.codeDir,
    _HANDLER: fn.handler,
    ...more,
  };
}
