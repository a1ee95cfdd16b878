/** The parts of these packages that the platform uses; they have no declarations. */
declare module "geodesy/osgridref.js" {
  export default class OsGridRef {
    /** Throws for an invalid reference. */
    static parse(text: string): OsGridRef;
    toLatLon(): { readonly lat: number; readonly lon: number };
  }
}

declare module "geodesy/mgrs.js" {
  export default class Mgrs {
    /** Throws for an invalid reference. */
    static parse(text: string): Mgrs;
    toUtm(): { toLatLon(): { readonly lat: number; readonly lon: number } };
  }
}

declare module "geodesy/utm.js" {
  export default class Utm {
    /** Throws for a zone or a place that UTM does not have. */
    constructor(zone: number, hemisphere: "N" | "S", easting: number, northing: number);
    toLatLon(): { readonly lat: number; readonly lon: number };
  }
}

declare module "latlon-geohash" {
  const geohash: {
    /** Throws for letters that no geohash has. */
    decode(text: string): { readonly lat: number; readonly lon: number };
  };
  export default geohash;
}
