import 'reflect-metadata';
import { patientWithMongodb } from './patient-with-mongodb.ts';

// Built services inherit it.
for (const [name, seconds] of Object.entries(patientWithMongodb)) process.env[name] ??= seconds;
