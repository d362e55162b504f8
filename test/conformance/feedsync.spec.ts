import { describeCases } from './describe-cases.ts';
import { runCase } from './run-case.ts';

describeCases('FeedSync', 'feedsync', runCase);
