//! Vectors and matrices of this crate, of glam and of mint.

use std::collections::{BTreeMap, HashMap};

use glam::{
    Affine2, Affine3A, DAffine2, DAffine3, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, IVec2, IVec3, IVec4, Mat3, Mat3A,
    Mat4, Quat, UVec2, Vec2, Vec3, Vec3A, Vec4,
};
use serde::{Deserialize, Serialize};
use varbytes::math::Godot;
use varbytes::variant::{
    AABB, Basis, Color, Plane, Projection, Quaternion, Rect2, Rect2i, Transform2D, Transform3D, Vector2, Vector2i,
    Vector3, Vector3i, Vector4, Vector4i,
};

use crate::Pass;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Glam {
    vec2: Vec2,
    vec3: Vec3,
    vec3a: Vec3A,
    vec4: Vec4,
    ivec2: IVec2,
    ivec3: IVec3,
    ivec4: IVec4,
    quat: Quat,
    affine2: Affine2,
    mat3: Mat3,
    mat3a: Mat3A,
    affine3: Affine3A,
    mat4: Mat4,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Double {
    vec2: DVec2,
    vec3: DVec3,
    vec4: DVec4,
    quat: DQuat,
    affine2: DAffine2,
    mat3: DMat3,
    affine3: DAffine3,
    mat4: DMat4,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Inside {
    list: Vec<Vec2>,
    array: [IVec2; 2],
    some: Option<Vec3>,
    none: Option<Vec3>,
    tuple: (Quat, UVec2),
    keys: HashMap<IVec2, Vec3>,
    map: BTreeMap<String, Vec<Vec4>>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(tag = "type")]
enum Shape {
    Circle { center: Vec2, radius: f32 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Mint {
    #[serde(with = "varbytes::math")]
    vector2: mint::Vector2<f32>,
    #[serde(with = "varbytes::math")]
    point2: mint::Point2<i32>,
    #[serde(with = "varbytes::math")]
    vector3: mint::Vector3<i32>,
    #[serde(with = "varbytes::math")]
    point3: mint::Point3<f32>,
    #[serde(with = "varbytes::math")]
    vector4: mint::Vector4<f32>,
    #[serde(with = "varbytes::math")]
    quaternion: mint::Quaternion<f32>,
    #[serde(with = "varbytes::math")]
    columns2: mint::ColumnMatrix2x3<f32>,
    #[serde(with = "varbytes::math")]
    columns3: mint::ColumnMatrix3<f32>,
    #[serde(with = "varbytes::math")]
    rows3: mint::RowMatrix3<f32>,
    #[serde(with = "varbytes::math")]
    columns3x4: mint::ColumnMatrix3x4<f32>,
    #[serde(with = "varbytes::math")]
    columns4: mint::ColumnMatrix4<f32>,
    #[serde(with = "varbytes::math")]
    some: Option<mint::Vector2<f32>>,
    #[serde(with = "varbytes::math")]
    none: Option<mint::Vector2<f32>>,
    #[serde(with = "varbytes::math")]
    list: Vec<mint::Vector4<i32>>,
    keys: BTreeMap<Godot<mint::Vector3<i32>>, Godot<mint::Vector3<f32>>>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Own {
    vector2: Vector2,
    vector2i: Vector2i,
    rect2: Rect2,
    rect2i: Rect2i,
    vector3: Vector3,
    vector3i: Vector3i,
    transform2d: Transform2D,
    vector4: Vector4,
    vector4i: Vector4i,
    plane: Plane,
    quaternion: Quaternion,
    aabb: AABB,
    basis: Basis,
    transform3d: Transform3D,
    projection: Projection,
    color: Color,
}

/// Returns 1, 2, 3 and so on.
fn numbers<const N: usize>() -> [f32; N] {
    std::array::from_fn(|index| 1.0 + f32::from(u8::try_from(index).unwrap()))
}

pub fn shapes(pass: &mut Pass<'_>) {
    let glam = Glam {
        vec2: numbers().into(),
        vec3: numbers().into(),
        vec3a: numbers().into(),
        vec4: numbers().into(),
        ivec2: IVec2::new(1, -2),
        ivec3: IVec3::new(1, -2, 3),
        ivec4: IVec4::new(1, -2, 3, -4),
        quat: Quat::from_array([0.5, -0.5, 0.5, 0.5]),
        affine2: Affine2::from_cols_array(&numbers()),
        // The arguments of a Basis in a script are its columns, as in glam.
        mat3: Mat3::from_cols_array(&numbers()),
        mat3a: Mat3A::from_cols_array(&numbers()),
        affine3: Affine3A::from_cols_array(&numbers()),
        mat4: Mat4::from_cols_array(&numbers()),
    };
    let double = Double {
        vec2: glam.vec2.as_dvec2(),
        vec3: glam.vec3.as_dvec3(),
        vec4: glam.vec4.as_dvec4(),
        quat: glam.quat.as_dquat(),
        affine2: glam.affine2.as_daffine2(),
        mat3: glam.mat3.as_dmat3(),
        affine3: glam.affine3.as_daffine3(),
        mat4: glam.mat4.as_dmat4(),
    };
    pass.shape(glam);
    pass.shape_in_double_precision(double);
    pass.shape(Inside {
        list: vec![numbers().into()],
        array: [IVec2::ZERO, IVec2::ONE],
        some: Some(numbers().into()),
        none: None,
        tuple: (Quat::IDENTITY, UVec2::new(1, 2)),
        keys: [(IVec2::new(1, -2), numbers().into())].into(),
        map: [("a".to_owned(), vec![numbers().into()])].into(),
    });
    pass.shape(Shape::Circle { center: numbers().into(), radius: 0.5 });
    pass.shape(Mint {
        vector2: numbers().into(),
        point2: [1, -2].into(),
        vector3: [1, -2, 3].into(),
        point3: numbers().into(),
        vector4: numbers().into(),
        quaternion: [0.5, -0.5, 0.5, 0.5].into(),
        columns2: numbers::<6>().into(),
        columns3: numbers::<9>().into(),
        rows3: numbers::<9>().into(),
        columns3x4: numbers::<12>().into(),
        columns4: numbers::<16>().into(),
        some: Some(numbers().into()),
        none: None,
        list: vec![[1, -2, 3, -4].into()],
        keys: [(Godot([1, -2, 3].into()), Godot(numbers().into()))].into(),
    });
    pass.shape(BTreeMap::from([(Godot(mint::Vector2::from([1, -2])), 7)]));
    pass.shape(Own {
        vector2: numbers().into(),
        vector2i: [1, -2].into(),
        rect2: numbers().into(),
        rect2i: [1, 2, 3, 4].into(),
        vector3: numbers().into(),
        vector3i: [1, -2, 3].into(),
        transform2d: numbers().into(),
        vector4: numbers().into(),
        vector4i: [1, -2, 3, -4].into(),
        plane: numbers().into(),
        quaternion: [0.5, -0.5, 0.5, 0.5].into(),
        aabb: numbers().into(),
        // Its rows.
        basis: numbers().into(),
        transform3d: numbers().into(),
        projection: numbers().into(),
        color: Color::new(1.0, 0.5, 0.25, 1.0),
    });
}
