import { describeCases } from './describe-cases.ts';
import { runSseCase } from './sse-case/run-sse-case.ts';

describeCases('SSE', 'sse', runSseCase);
