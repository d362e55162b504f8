import 'reflect-metadata';
import { runService } from '#runtime';
import { gateway } from './gateway.ts';

await runService(gateway);
