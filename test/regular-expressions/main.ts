import { productExpressions } from './find-expressions.ts';
import { writeRecord } from './judge.ts';

writeRecord(productExpressions());
