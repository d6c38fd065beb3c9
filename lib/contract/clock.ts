/**
 * The table with one row: the offset of the business rules' time from real time. Without the row, time is real. Every
 * function that needs the time reads it, so its name and key are here. The domain that sets the time declares the table,
 * and the environments that have it.
 */
export const clock = { name: 'Clock', partitionKey: 'clockId' } as const;
