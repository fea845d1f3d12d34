//! An ONNX file with the pooling that image models have: a stem with a strided maximum, a block of
//! branches with an average and a maximum, a strided average in ceil mode. Weights are noise.

use prost::Message;
use tract_onnx::pb::{
    attribute_proto::AttributeType, tensor_proto::DataType, tensor_shape_proto, type_proto,
    AttributeProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto, TensorProto,
    TensorShapeProto, TypeProto, ValueInfoProto,
};

/// Height and width of the image.
pub const SIZE: usize = 112;
/// The pooling ops of the file.
pub const POOLS: usize = 4;
const OPSET: i64 = 13;
const STEM: usize = 32;
const BRANCH: usize = 16;

/// Numbers without any pattern in -1 to 1, the same ones every time.
#[must_use]
pub fn noise(length: usize, seed: u32) -> Vec<f32> {
    let mut state = seed;
    let next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 8_388_608.0 - 1.0
    };
    std::iter::repeat_with(next).take(length).collect()
}

/// The bytes of the file; with `convolutions` the whole of it, without only pooling.
#[must_use]
pub fn onnx_file(convolutions: bool) -> Vec<u8> {
    let mut graph = Graph::default();
    let stem = if convolutions {
        let stem = graph.convolution("image", 3, STEM, 3, 2);
        graph.node("Relu", &[&stem], vec![])
    } else {
        "image".to_owned()
    };
    let square = |name, size| ints(name, &[size, size]);
    let stem = graph.node(
        "MaxPool",
        &[&stem],
        vec![square("kernel_shape", 3), square("strides", 2), ints("pads", &[1; 4])],
    );
    let window = || vec![square("kernel_shape", 3), ints("pads", &[1; 4])];
    let mut average = graph.node("AveragePool", &[&stem], window());
    let mut maximum = graph.node("MaxPool", &[&stem], window());
    if convolutions {
        average = graph.convolution(&average, STEM, BRANCH, 1, 1);
        maximum = graph.convolution(&maximum, STEM, BRANCH, 1, 1);
    }
    let joined = graph.node("Concat", &[&average, &maximum], vec![int("axis", 1)]);
    let last = vec![
        square("kernel_shape", 3),
        square("strides", 2),
        ints("pads", &[1; 4]),
        int("ceil_mode", 1),
        int("count_include_pad", 1),
    ];
    let result = graph.node("AveragePool", &[&joined], last);
    let channels = if convolutions { 3 } else { STEM };
    graph.file(&[1, channels, SIZE, SIZE], &result)
}

#[derive(Default)]
struct Graph {
    nodes: Vec<NodeProto>,
    weights: Vec<TensorProto>,
}

impl Graph {
    /// Appends a node and names its result.
    fn node(&mut self, op: &str, inputs: &[&str], attribute: Vec<AttributeProto>) -> String {
        let name = format!("{op}_{}", self.nodes.len());
        self.nodes.push(NodeProto {
            name: name.clone(),
            op_type: op.to_owned(),
            input: inputs.iter().map(ToString::to_string).collect(),
            output: vec![name.clone()],
            attribute,
            ..NodeProto::default()
        });
        name
    }

    fn convolution(
        &mut self,
        input: &str,
        from: usize,
        to: usize,
        kernel: usize,
        stride: usize,
    ) -> String {
        let name = format!("weights_{}", self.weights.len());
        let scale = 1.0 / (from * kernel * kernel) as f32;
        let values = noise(to * from * kernel * kernel, self.weights.len() as u32 + 1);
        self.weights.push(TensorProto {
            name: name.clone(),
            dims: [to, from, kernel, kernel].map(|size| size as i64).into(),
            data_type: DataType::Float as i32,
            float_data: values.into_iter().map(|value| value * scale).collect(),
            ..TensorProto::default()
        });
        let pad = (kernel / 2) as i64;
        let attributes = vec![ints("strides", &[stride as i64; 2]), ints("pads", &[pad; 4])];
        self.node("Conv", &[input, &name], attributes)
    }

    fn file(self, shape: &[usize], result: &str) -> Vec<u8> {
        let graph = GraphProto {
            name: "sample".to_owned(),
            node: self.nodes,
            initializer: self.weights,
            input: vec![value("image", shape)],
            output: vec![ValueInfoProto { name: result.to_owned(), ..ValueInfoProto::default() }],
            ..GraphProto::default()
        };
        let model = ModelProto {
            ir_version: 8,
            opset_import: vec![OperatorSetIdProto { domain: String::new(), version: OPSET }],
            graph: Some(graph),
            ..ModelProto::default()
        };
        model.encode_to_vec()
    }
}

fn value(name: &str, shape: &[usize]) -> ValueInfoProto {
    use tensor_shape_proto::{dimension::Value, Dimension};
    let dimension = |&size: &usize| Dimension {
        value: Some(Value::DimValue(size as i64)),
        ..Dimension::default()
    };
    let tensor = type_proto::Tensor {
        elem_type: DataType::Float as i32,
        shape: Some(TensorShapeProto { dim: shape.iter().map(dimension).collect() }),
    };
    let value = Some(type_proto::Value::TensorType(tensor));
    ValueInfoProto {
        name: name.to_owned(),
        r#type: Some(TypeProto { value, ..TypeProto::default() }),
        ..ValueInfoProto::default()
    }
}

fn ints(name: &str, ints: &[i64]) -> AttributeProto {
    AttributeProto {
        name: name.to_owned(),
        r#type: AttributeType::Ints as i32,
        ints: ints.to_vec(),
        ..AttributeProto::default()
    }
}

fn int(name: &str, i: i64) -> AttributeProto {
    AttributeProto {
        name: name.to_owned(),
        r#type: AttributeType::Int as i32,
        i,
        ..AttributeProto::default()
    }
}
