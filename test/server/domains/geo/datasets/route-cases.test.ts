import { geoCases } from "../../cases/geo.ts";
import { describeRouteCases } from "../../cases/route-tables.ts";

describeRouteCases("geo datasets", geoCases);
