import { type Command, Option } from 'commander';
import { addEarlierKeys, numberFrom, placed, time, wholeNumber } from './options.ts';

export function addProveCommands(program: Command): void {
  const verifying = placed(program.command('verify-ledger'))
    .summary('check the whole ledger of consents')
    .description(
      'Checks every chain, pointer and checkpoint. Findings are printed to stdout, one line each, and the progress to stderr.',
    )
    .option('--segments <number>', 'how many parts are read at a time', wholeNumber(1, 1000), 8)
    .option('--resume <folder>', 'go on where a run that used this folder ended')
    .addOption(new Option('--key <arn...>', 'earlier generations of the ledger key').default([], 'none'));
  addEarlierKeys(verifying)
    .option('--keys <file>', 'a JWK set of the ledger key that was kept elsewhere, where KMS cannot be asked')
    .option('--vouching-keys <file>', 'a JWK set of the vouching key')
    .option('--revocation-keys <file>', 'a JWK set of the revocation key')
    .option('--import-keys <file>', 'a JWK set of the import key')
    .option('--tombstone-keys <file>', 'a JWK set of the tombstone key')
    .option('--moved-clock', 'records have the dates of the time machine', false)
    .option('--records <table>', 'a restored table in place of ConsentRecords')
    .option('--states <table>', 'a restored table in place of ConsentStates')
    .option('--retention-years <number>', 'for a stage where the time machine released records early', wholeNumber(0))
    .option('--without-checkpoint', 'a ledger without any checkpoint is fine', false)
    .option('--max-age-hours <number>', 'how old the last checkpoint may be; 0 accepts any age', numberFrom(0), 3)
    .action(async (options) => (await import('../verify-ledger.ts')).run(options));
  const exporting = placed(program.command('export-consents'))
    .summary('write all evidence about the consents of one person')
    .description(
      'Writes JSON Lines with receipts (consents.jsonl), the public keys (jwks.json) and a page to hand over (consents.html).',
    )
    .requiredOption('--user <id>', 'whose consents')
    .requiredOption('--out <folder>', 'where the files go')
    .addOption(new Option('--locale <locale>', 'the language of the page').choices(['en', 'de']).default('en'))
    .option('--time-zone <zone>', 'of the times on the page', 'UTC');
  addEarlierKeys(exporting).action(async (options) => (await import('../export-consents.ts')).run(options));
  const revoking = placed(program.command('revoke-receipt-key'))
    .summary('say that a key of receipts has leaked, for ever')
    .description(
      'From then on receipts of this key verify with a warning, and manifests no more. This cannot be undone. Deploy a new generation of the key first: a revoked key signs nothing.',
    )
    .requiredOption('--kid <id>', 'the key')
    .option('--from <time>', 'since when (default: now)', time);
  addEarlierKeys(revoking).action(async (options) => (await import('../revoke-receipt-key.ts')).run(options));
  placed(program.command('revoke-tombstone'))
    .summary('make a tombstone that belongs to no erasure void')
    .description('From now on it has no effect (docs/runbook.md, "Check ledger found").')
    .requiredOption('--user <id>', 'whose tombstone')
    .requiredOption('--tombstone <sha256>', 'the hash of the object')
    .requiredOption('--by <name>', 'who decided it')
    .requiredOption('--reason <case>', 'the number of the case, such as LEGAL-2026-117')
    .action(async (options) => (await import('../revoke-tombstone.ts')).run(options));
}
