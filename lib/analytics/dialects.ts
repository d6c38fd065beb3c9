/**
 * What two engines write differently. Athena reads a stage's exports where they are (Trino's SQL); DuckDB reads the same files
 * on one machine. All else, the questions above all, is standard SQL.
 */
export type Dialect = {
  /** The text at a path of JSON; null where there is none. */
  readonly textAt: (json: string, path: string) => string;
  /** The elements of an array of JSON, for `UNNEST`; null where there is none. */
  readonly elementsAt: (json: string, path: string) => string;
};

/** https://docs.aws.amazon.com/athena/latest/ug/extracting-data-from-JSON.html */
export const athena: Dialect = {
  textAt: (json, path) => `json_extract_scalar(${json}, '${path}')`,
  elementsAt: (json, path) => `CAST(json_extract(${json}, '${path}') AS array(json))`,
};

/** https://duckdb.org/docs/stable/data/json/json_functions */
export const duckDb: Dialect = {
  textAt: (json, path) => `json_extract_string(${json}, '${path}')`,
  elementsAt: (json, path) => `CAST(json_extract(${json}, '${path}') AS JSON[])`,
};
