import { Argument, type Command, Option } from 'commander';
import { applications, environments } from '../../functions/product.ts';
import { always, byTheDay } from './check-parts.ts';
import { stage } from './options.ts';

export function addDevelopCommands(program: Command): void {
  program
    .command('start')
    .summary('run the dev stage on this machine')
    .description(
      'Runs the dev stage on http://localhost:3000, with a page at /_local/. The variables PORT, HOST, DATA_DIR, DYNAMODB_ENDPOINT, SNS_ENDPOINT and SES_ENDPOINT change where it runs and what it uses (docs/local-stage.md).',
    )
    .option('--watch', 'take over each change of lib/ and functions/', false)
    .option('--as-deployed', 'run the bundles that are deployed, in processes', false)
    .option('--no-rate-limit', 'do not limit the requests of an address')
    .action(async (options) => (await import('../start.ts')).run(options));
  program
    .command('check')
    .summary('check types, lint, imports, documents, packages')
    .description(
      'Runs the named parts. advisories asks OSV about each locked package, and contacts looks for crisis contacts that nobody compared with their source for a year: they can fail by the day, so they run only if they are named.',
    )
    .addArgument(
      new Argument('[parts...]', 'the parts to run')
        .choices([...always, ...byTheDay])
        .default([...always], 'all but advisories and contacts'),
    )
    .action(async (parts) => (await import('../check.ts')).run(parts));
  program
    .command('format')
    .summary('format the code')
    .description('Runs Biome with all its options: it formats, sorts imports, and mends what it safely can.')
    .argument('[paths...]', 'files or folders', [])
    .allowUnknownOption()
    .action(async (_paths, _options, { args }: Command) =>
      (await import('../run-tool.ts')).runTool('bin/tools/lint', 'biome', ['check', '--write', ...args]),
    );
  program
    .command('generate')
    .summary('write the files that follow from the declarations')
    .description(
      'Writes docs/openapi.json, docs/errors.md, the generated tables of other pages, and the modules about all domains. `npm run check -- generated` only looks whether they are up to date.',
    )
    .addOption(new Option('--application <name>', 'only print the OpenAPI document of this one').choices(applications))
    .addOption(new Option('--environment <name>', 'only print the document of its routes').choices(environments))
    .action(async (options) => (await import('../generate.ts')).run(options));
  program
    .command('new-domain')
    .summary('make a domain with a table, two routes and tests')
    .description(
      'Writes a small domain that works, its line in functions/domains.ts and its row in docs/security/roles.md, and runs the generator. docs/adding-a-domain.md says what to do next.',
    )
    .argument('<name>', 'such as sleep-diary')
    .action(async (name) => (await import('../new-domain.ts')).run(name));
  program
    .command('invoke')
    .summary('run one function once, without the gateway')
    .argument('[operation]', 'without a known one, the operations are listed')
    .option('--event <file>', 'JSON of the event')
    .addOption(new Option('--application <name>', 'where both have the operation').choices(applications))
    .option('--dry-run', 'of send-test-push: show what would be sent', false)
    .action(async (operation, options) => (await import('../invoke.ts')).run(operation, options));
  program
    .command('token')
    .summary('print an access token for the running local stage')
    .description(
      'Prints an access token of the running local stage, or of a deployed one that keeps no data: there it makes the user <id>@smoke.example.com, a patient unless --roles says otherwise, and the token has its ordinary time.',
    )
    .addOption(stage())
    .requiredOption('--user <id>', 'whose token it is: a seeded user, or any')
    .option('--roles <roles>', 'with commas between them, or none (default: those of the seeded user)')
    .addOption(
      new Option('--application <name>', 'which API it opens (default: that of the seeded user)').choices(applications),
    )
    .option('--client <name>', 'the client that it was issued to')
    .option('--expiresIn <seconds>', 'how long it is valid')
    .action(async (options) => (await import('../token.ts')).run(options));
  program
    .command('trace')
    .summary('find the source of places in a stack trace')
    .description('Names the source file and line of places in the stack trace of a deployed function.')
    .argument('<function>', 'the operation')
    .argument('<places...>', 'line:column in its index.mjs')
    .option('--commit <commit>', 'what was deployed (default: the sources as they are here)')
    .action(async (name, places, options) => (await import('../trace.ts')).run(name, places, options));
  program
    .command('install-tools')
    .summary('install what only some commands and tests need')
    .description('Installs the packages of bin/tools and test/tools. Each is installed at its first use otherwise.')
    .action(async () => (await import('../install-tools.ts')).run());
  program
    .command('pin-sdk')
    .summary('pin the SDK modules that bundling changes')
    .description(
      'Run it after an update of the SDK, when somebody has compared each module that test/bundle/sdk-pins.test.ts names with what stands in its place.',
    )
    .action(async () => (await import('../pin-sdk.ts')).run());
  program
    .command('breached-passwords')
    .summary('write the kept list of breached passwords')
    .description(
      'Writes functions/accounts/rules/breached-generated.ts from the list that the package of the tool has.',
    )
    .action(async () => (await import('../breached-passwords.ts')).run());
  program
    .command('sbom')
    .summary('print a CycloneDX bill of materials')
    .description('Prints one bill of all that is locked: for the project and its tools.')
    .action(async () => (await import('../sbom.ts')).run());
  program
    .command('licences')
    .summary('list each package with its version and licence')
    .option('--deployed', 'only what is deployed', false)
    .action(async (options) => (await import('../licences.ts')).run(options));
}
