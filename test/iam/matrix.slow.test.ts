import { attempts, describeMatrix } from './matrix.ts';

describeMatrix(attempts);
