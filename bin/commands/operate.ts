import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { applications } from '../../functions/product.ts';
import { usualTraffic } from '../capacity/traffic.ts';
import { numberFrom, placed, pollMs, stage, time, wholeNumber } from './options.ts';

export function addOperateCommands(program: Command): void {
  program
    .command('preflight')
    .summary('check what an account needs before a deployment')
    .description(
      'Checks whether the account and region have what the stage needs. It reads, and changes nothing. With --probe it then makes two small stacks, checks what AWS does not document, and deletes them.',
    )
    .addOption(stage().makeOptionMandatory())
    .option('--probe', 'make the small stacks, too', false)
    .option('--clean-up', 'with --probe: only delete what such a run has left', false)
    .addOption(pollMs())
    .action(async (options) => (await import('../preflight.ts')).run(options));
  program
    .command('diff')
    .summary('print what a deployment would change')
    .description(
      'Compares the stage with the deployed templates. A stack that would keep an old value is printed as STALE: the next deployment of all stacks corrects it.',
    )
    .addOption(stage().makeOptionMandatory())
    .option('--allow-replacement', 'a resource with data may be replaced', false)
    .action(async (options) => (await import('../diff.ts')).run(options));
  program
    .command('deploy')
    .summary('deploy all stacks of a stage')
    .description(
      'Prints the account, the region and the changes, and asks for a confirmation. The CDK asks again for each stack with new or wider IAM roles.',
    )
    .addOption(stage().makeOptionMandatory())
    .option('--yes', 'ask nothing, for CI', false)
    .option('--allow-replacement', 'a resource with data may be replaced', false)
    .addOption(
      new Option('--cdk <program>').default(join(import.meta.dirname, '../../node_modules/aws-cdk/bin/cdk')).hideHelp(),
    )
    .action(async (options) => (await import('../deploy.ts')).run(options));
  program
    .command('destroy')
    .summary('delete a stage with all its data, never prod')
    .addOption(stage().makeOptionMandatory())
    .option('--yes', 'ask nothing', false)
    .addOption(pollMs())
    .action(async (options) => (await import('../destroy.ts')).run(options));
  const capacity = program
    .command('capacity')
    .summary('compute what a given traffic needs and costs')
    .description(
      'Computes what the traffic needs, what it costs in a month, and which limit it reaches first, from measured units and listed prices. It calls nothing. Shares are from 0 to 1.',
    )
    .addOption(stage().default('prod'));
  for (const [name, usual] of Object.entries(usualTraffic))
    capacity.option(`--${name} <number>`, '', numberFrom(Number.MIN_VALUE), usual);
  capacity.action(async (options) => (await import('../capacity.ts')).run(options));
  program
    .command('cost')
    .summary('compute what a stage costs without a request')
    .description(
      'Counts what is billed by its being there in the templates of a stage, or of all, with listed prices. Stored data, logs and requests are not in it: capacity computes these. It calls nothing.',
    )
    .addOption(stage())
    .option('--page', 'also write the table into docs/deploying.md', false)
    .action(async (options) => (await import('../cost.ts')).run(options));
  program
    .command('restore-drill')
    .summary('restore tables beside those in use, and check them')
    .description(
      'Restores tables by point-in-time recovery beside the tables in use, checks them, and deletes them again. The tables in use are read, never written. For a real restore use --keep; docs/restore.md says what comes next.',
    )
    .addOption(stage().makeOptionMandatory())
    .option('--table <name...>', 'which tables (default: those of the ledger)')
    .addOption(new Option('--all', 'all tables of the stage').default(false).conflicts('table'))
    .option('--to <time>', 'as they were then (default: the latest)', time)
    .option('--dry-run', 'only print what would be done', false)
    .option('--keep', 'do not delete the new tables', false)
    .option('--equip <table>', 'restore nothing: give a table of AWS Backup the settings of the one in use')
    .action(async (options) => (await import('../restore-drill.ts')).run(options));
  placed(program.command('restore-rows'))
    .summary('put rows back as they were before an attack')
    .description('Puts rows of AuditEvents or AccessLog back (docs/runbook.md, "Audit events tampered with").')
    .requiredOption('--object <object>', 'the evidence, in the bucket of evidence')
    .option('--dry-run', 'only print the rows', false)
    .action(async (options) => (await import('../restore-rows.ts')).run(options));
  placed(program.command('replay-erasures'))
    .summary('queue the erasures again after a restore')
    .description(
      'Run it after tables were restored from a backup. It repeats every erasure and every legal hold in the log. It only queues the erasures: erase-accounts does them within five minutes, release-consents within a day. Switch the schedules of both off before the restore, and leave them off until this command has run (docs/erasure.md).',
    )
    .option(
      '--backup-of <time>',
      'to which time the tables were restored: accounts that were erased long before are not erased again. Not for a time between an earlier restore and the end of its replay',
      time,
    )
    .action(async (options) => (await import('../replay-erasures.ts')).run(options));
  placed(program.command('rebuild-overview'))
    .summary('make the lists of users and the overview again')
    .description('Works while the service runs. After an interruption, run it again: it begins anew.')
    .action(async (options) => (await import('../rebuild-overview.ts')).run(options));
  placed(program.command('rebuild-statistics'))
    .summary('count the consent ledger again')
    .description(
      'Counts while users can still consent; then the statistics use the new figures. After an interruption, run it again: it begins anew.',
    )
    .option('--segments <number>', 'how many parts are read at a time', wholeNumber(1, 1000), 4)
    .action(async (options) => (await import('../rebuild-statistics.ts')).run(options));
  placed(program.command('create-user'))
    .summary('make a user, with a temporary password')
    .description(
      'Makes a user and prints the id and a temporary password, once: the user replaces it within a day. A member of staff also gets the row that decides the roles. After a failure it can be run again, also for a user whose temporary password has expired.',
    )
    .addOption(
      new Option('--application <name>', 'where the user signs in').choices(applications).makeOptionMandatory(),
    )
    .requiredOption('--email <address>', 'the name of the user')
    .requiredOption('--roles <roles>', 'with commas between them')
    .option('--password-stdin', 'read a permanent password from standard input: for an integration', false)
    .option('--existing', "only write the row of somebody who is in the staff's pool", false)
    .action(async (options) => (await import('../create-user.ts')).run(options));
  program
    .command('push-connect')
    .summary('give SNS a key of Apple or Google')
    .description(
      'Makes the SNS platform application of a stage, or gives it another key, and prints its ARN. The key goes from the file to SNS and nowhere else. It can be run again.',
    )
    .addOption(stage().makeOptionMandatory())
    .addOption(
      new Option('--platform <name>', 'whose phones').choices(['ios', 'ios-sandbox', 'android']).makeOptionMandatory(),
    )
    .requiredOption('--key <file>', 'the .p8 file of Apple, or the JSON of a service account of Google')
    .option('--key-id <id>', 'of Apple’s key')
    .option('--team-id <id>', 'of Apple’s key')
    .option('--bundle-id <id>', 'of the iOS app')
    .option('--topic <arn>', 'where its events go (default: the topic of the stage)')
    .action(async (options) => (await import('../push-connect.ts')).run(options));
  program
    .command('replace-secret')
    .summary('show the keys of a secret, or replace its key in steps')
    .description(
      'Shows a secret’s keys by their ids. The steps add, use and, after the time that the secret declares, drop replace its key while the service runs; repair gives the keys to functions that a failed deploy gave others (docs/runbook.md#replacing-a-secret).',
    )
    .addOption(stage().makeOptionMandatory())
    .requiredOption('--secret <name>', 'such as SignInKey')
    .addOption(new Option('--step <step>', 'what to do').choices(['add', 'use', 'drop', 'repair']))
    .option('--leaked <key id>', 'with the step drop: drop this old key at once')
    .action(async (options) => (await import('../replace-secret.ts')).run(options));
  program
    .command('replay-stream-failures')
    .summary('send failed changes of the streams again')
    .description(
      'Sends the changes that a function could not consume to it again, and removes what was consumed. No push is sent twice, and nothing is counted twice.',
    )
    .addOption(stage().makeOptionMandatory())
    .option('--dry-run', 'only list them', false)
    .option('--keep', 'remove nothing', false)
    .action(async (options) => (await import('../replay-stream-failures.ts')).run(options));
}
