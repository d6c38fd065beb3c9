/**
 * The SQL that differs between the two engines. Athena (Trino's SQL) reads a stage's exports in their bucket. DuckDB reads the same
 * files on one machine. Everything else, also all questions, is standard SQL.
 */
export type Dialect = {
  /** The text at a path in JSON; null if there is none. */
  readonly textAt: (json: string, path: string) => string;
  /** The elements of an array in JSON, for `UNNEST`; null if there is no array. */
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
