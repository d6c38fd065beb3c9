import { type ExportedTable, rawName } from './views.ts';

/**
 * Athena's table over the files of an export. It has a row for each item and one column with the JSON as text. The separator of
 * columns is a character that valid JSON always escapes.
 *
 * @param location `s3://bucket/prefix/AWSDynamoDB/<exportId>/data/`
 * @returns statements that must be run one after another, because Athena accepts only one at a time
 */
export function rawStatements(table: ExportedTable, location: string): string[] {
  if (!/^s3:\/\/[A-Za-z0-9./_-]+\/$/.test(location)) throw new Error(`${location} is no folder of a bucket`);
  const name = rawName(table);
  return [
    `DROP TABLE IF EXISTS ${name}`,
    `CREATE EXTERNAL TABLE ${name} (line string)\nROW FORMAT DELIMITED FIELDS TERMINATED BY '\\001'\nSTORED AS TEXTFILE\nLOCATION '${location}'`,
  ];
}
