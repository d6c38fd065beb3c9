/** What the help of each command ends with. */

export const examples: Readonly<Record<string, string>> = {
  start: 'npm start -- --watch',
  check: 'npm run check -- types',
  format: 'npm run format -- bin',
  generate: 'npm run -s generate -- --application sleepcare --environment prod',
  'new-domain': 'npm run cli -- new-domain sleep-diary',
  invoke: 'npm run invoke -- send-test-push --event test/events/badge-sync.json --dry-run',
  token: 'npm run -s token -- --user U --roles patient --application sleepcare',
  trace: 'npm run cli -- trace agree 27:23068',
  'install-tools': 'npm run cli -- install-tools',
  'pin-sdk': 'npm run cli -- pin-sdk',
  'breached-passwords': 'npm run cli -- breached-passwords',
  sbom: 'npm run -s cli -- sbom > sbom.json',
  licences: 'npm run -s cli -- licences --deployed',
  'publish-content': 'npm run cli -- publish-content --stage dev --file functions',
  'create-user':
    'npm run cli -- create-user --stage dev --application medinfo --email ada@example.com --roles physician',
  'push-connect': 'npm run cli -- push-connect --stage dev --platform android --key service-account.json',
  'replace-secret': 'npm run cli -- replace-secret --stage dev --secret SignInKey --step add',
  'replay-stream-failures': 'npm run cli -- replay-stream-failures --stage dev --dry-run',
  preflight: 'npm run cli -- preflight --stage prod',
  diff: 'npm run cli -- diff --stage prod',
  deploy: 'npm run deploy -- --stage dev',
  destroy: 'npm run cli -- destroy --stage dev',
  cost: 'npm run cli -- cost --stage prod',
  capacity: 'npm run cli -- capacity --users 10000000',
  'restore-drill': 'npm run cli -- restore-drill --stage staging --table ConsentRecords --to 2026-11-21T12:00:00Z',
  'restore-rows': 'npm run cli -- restore-rows --stage prod --object audit-changes/batch.json --dry-run',
  'replay-erasures': 'npm run cli -- replay-erasures --stage prod --backup-of 2026-03-01T12:00:00Z',
  'rebuild-overview': 'npm run cli -- rebuild-overview --stage prod',
  'rebuild-statistics': 'npm run cli -- rebuild-statistics --stage prod',
  'verify-ledger': 'npm run cli -- verify-ledger --stage prod',
  'export-consents':
    'npm run cli -- export-consents --user <id> --stage prod --out evidence --locale de --time-zone Europe/Berlin',
  'revoke-receipt-key': 'npm run cli -- revoke-receipt-key --stage prod --kid K',
  'revoke-tombstone':
    'npm run cli -- revoke-tombstone --stage prod --user <id> --tombstone <sha256 of the object> --by <you> --reason <case>',
  'import-consents': 'npm run cli -- import-consents --file consents.jsonl --stage prod --by <you> --dry-run',
  'export-tables': 'npm run cli -- export-tables --local --out exports',
  ask: 'npm run cli -- ask active-consents "2026-11-22 00:00:00" --files exports',
  report: 'npm run cli -- report --local --out report.html',
  synthesize: 'npm run cli -- synthesize --local --patients 200 --days 60 --seed 1',
};

/** Where they are not: 0 done, 1 refused or failed. Where 2 is refused or failed, 1 is what was found. */
export const exitCodes: Readonly<Record<string, string>> = {
  start: '0 ended by a signal, 1 it cannot start',
  check: '0 nothing found, or OSV does not answer; 1 something found',
  trace: '0 found, 2 refused or failed',
  preflight: '0 nothing is missing, 1 something is',
  diff: '0 no resource with data would be deleted, or that is allowed; 1 one would be deleted or lose its protection; 2 not compared',
  deploy:
    '0 deployed; 1 refused, only partly deployed, or deployed but not compared afterwards; 2 not confirmed or not compared, and nothing is deployed',
  destroy: '0 nothing is left, or the rest will be deleted automatically; 1 something is left; 2 refused or failed',
  'restore-drill': '0 nothing is wrong, 1 something is, 2 refused or failed. The new tables are deleted in each case',
  'verify-ledger': '0 nothing is wrong, 1 something is, 2 it could not be checked',
  'export-consents': '0 nothing is wrong, 1 the check found something wrong, 2 it could not be done',
  'import-consents': '0 all lines were imported, 1 some were refused, 2 it could not be done',
};
