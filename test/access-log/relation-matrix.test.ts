import { describeMatrix } from './relation-matrix.ts';

describeMatrix('prod');
