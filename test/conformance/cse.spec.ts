import { runCseCase } from './cse-case/run-cse-case.ts';
import { describeCases } from './describe-cases.ts';

describeCases('CSE', 'cse', runCseCase);
